//! Laying out: [`Cfg`] → [`Memory`].
//!
//! Every object is taken apart into cells: a scalar is one cell, a pointer two (which object, and where in it), a struct
//! its members, an array one cell that maps positions to values. What pointers point to are *nodes*: an object, or a
//! member of one, whatever the indices on the way to it. A pointer value is a node and an offset, counted in values of the type
//! that the pointer points to; so `p++` adds one, and `&s[i].m` is the node `s.m` with offset `i`. The members of a union
//! share the bits of one cell.
//!
//! Objects that the function is given, but that have no name: what each pointer parameter points to is an object of its
//! own, without bounds; what pointers in memory point to are, for each type, the elements of one such object, so that any
//! number of nodes and any sharing among them is covered.
//!
//! [`points_to`] finds for every pointer the nodes that it can point to, [`constants`] the pointers that always have the
//! same offset.

mod constants;
mod points_to;

use std::collections::{BTreeMap, BTreeSet};

use crate::cfg::Cfg;
use crate::config::Config;
use crate::program::{Expr, Field, FloatKind, FunctionId, IntKind, Record, Role, Type, VarId, size_of};

/// Index into [`Memory::cells`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CellId(pub u32);

impl CellId {
    /// The position in [`Memory::cells`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something that a pointer can point to; 0 is the null pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Where the null pointer points.
    pub const NULL: NodeId = NodeId(0);
    /// A function that is not part of the program.
    pub const OUTSIDE: NodeId = NodeId(1);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of the state that is one value, or one map from positions to values.
#[derive(Clone, Debug)]
pub struct Cell {
    /// A name for messages.
    pub name: String,
    /// What it holds.
    pub content: Content,
    /// Whether it is a map from positions to values.
    pub is_map: bool,
    /// The value that it always has.
    pub constant: Option<i128>,
    /// The variable that it is a part of.
    pub variable: Option<VarId>,
    /// For the object part of a pointer: where it can point to.
    pub targets: BTreeSet<NodeId>,
    /// Where it can point to when the function is entered; nothing if it has no value then.
    pub given: BTreeSet<NodeId>,
}

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// An integer.
    Int(IntKind),
    /// A bit-field of that type and width, or the bits of a union.
    Bits(u32),
    /// A floating-point number, by its bits.
    Float(FloatKind),
    /// The node that a pointer points to.
    Object,
    /// Where in it.
    Offset,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// A name for messages.
    pub name: String,
    /// The type of one element, without qualifiers.
    pub ty: Type,
    /// What it is made of.
    pub kind: NodeKind,
    /// The struct or union that it is a member of.
    pub parent: Option<NodeId>,
    /// Where it begins in its parent, in bytes.
    pub position: u64,
    /// How many elements it has for each element of its parent (of the object for a root).
    pub count: u64,
}

/// What a node is made of.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// Nothing: the null pointer.
    Null,
    /// A function.
    Function(FunctionId),
    /// A number, or a bit-field of that width.
    Scalar(CellId, Option<u32>),
    /// A pointer: its object and its offset.
    Pointer(CellId, CellId),
    /// A struct: its members.
    Struct(Vec<NodeId>),
    /// A union: the cell that its members share, and the members. The cell is a bit vector for up to 8 bytes, else a map
    /// from bytes.
    Union(CellId, Vec<NodeId>),
    /// A part of a union: the node of the union, and the first bit.
    View {
        /// The union.
        whole: NodeId,
        /// Where the part begins, in bits.
        bit: u64,
        /// Its width in bits, if it is a scalar.
        width: Option<u32>,
        /// Its members, if it is a struct or union.
        members: Vec<NodeId>,
    },
    /// Something that pct does not look into.
    Opaque,
}

/// The layout of the memory of a function.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The cells.
    pub cells: Vec<Cell>,
    /// The nodes.
    nodes: Vec<Node>,
    /// The root of each variable.
    roots: Vec<NodeId>,
    functions: BTreeMap<FunctionId, NodeId>,
    /// Structs and unions.
    pub records: Vec<Record>,
    /// The objects of numbers that are used as addresses, by type.
    absolute: BTreeMap<Type, NodeId>,
    /// Where parameters point at the start: variable, object.
    pub given: BTreeMap<VarId, NodeId>,
    /// The cells of the pointers in a union, by their place in it.
    union_pointers: BTreeMap<(NodeId, u64), (CellId, CellId)>,
    /// Variables whose address is taken, with their role.
    exposed: BTreeSet<VarId>,
    /// How many elements what a parameter points to has.
    lengths: BTreeMap<VarId, Expr>,
    /// What the layout assumes, in words.
    pub assumptions: Vec<String>,
}

/// Where the type of a pointer fits a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// At every element.
    Everywhere,
    /// At the first element only: a struct and its first member begin at the same place.
    AtStart,
}

/// How many elements an object has.
pub enum Extent {
    /// So many.
    Elements(u64),
    /// As many as the expression says.
    Value(Expr),
}

/// A union of at most so many bytes is one bit vector.
const MAX_BIT_VECTOR: u64 = 8;

/// Lays out the variables of `cfg` and finds out what its pointers can point to; `observed` are the predicates.
pub fn lay_out(cfg: &Cfg, config: &Config, observed: &[&Expr]) -> Memory {
    let mut memory = Memory {
        cells: Vec::new(),
        nodes: Vec::new(),
        roots: Vec::new(),
        functions: BTreeMap::new(),
        records: cfg.records.clone(),
        absolute: BTreeMap::new(),
        given: BTreeMap::new(),
        union_pointers: BTreeMap::new(),
        exposed: BTreeSet::new(),
        lengths: cfg.lengths.clone(),
        assumptions: Vec::new(),
    };
    let special = |name: &str| Node {
        name: name.to_string(),
        ty: Type::Void,
        kind: NodeKind::Null,
        parent: None,
        position: 0,
        count: 1,
    };
    memory.nodes.push(special("NULL"));
    memory.nodes.push(Node { kind: NodeKind::Opaque, ..special("a function from outside") });
    for (index, function) in cfg.functions.iter().enumerate() {
        let id = NodeId(memory.nodes.len() as u32);
        let function_id = FunctionId(index as u32);
        memory.nodes.push(Node { kind: NodeKind::Function(function_id), ..special(&function.name) });
        memory.functions.insert(function_id, id);
    }
    for (index, variable) in cfg.variables.iter().enumerate() {
        let id = VarId(index as u32);
        let root = memory.object(&variable.name, &variable.ty, Some(id));
        memory.roots.push(root);
    }
    points_to::solve(&mut memory, cfg, config, observed);
    constants::find(&mut memory, cfg);
    memory
}

impl Memory {
    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A cell.
    pub fn cell(&self, id: CellId) -> &Cell {
        &self.cells[id.index()]
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The node of a variable.
    pub fn root(&self, variable: VarId) -> NodeId {
        self.roots[variable.index()]
    }

    /// The node of a function.
    pub fn function(&self, id: FunctionId) -> NodeId {
        self.functions[&id]
    }

    /// The object of numbers used as addresses of values of a type.
    pub fn absolute(&self, ty: &Type) -> Option<NodeId> {
        self.absolute.get(ty.innermost()).copied()
    }

    /// The member of a struct or union.
    pub fn member(&self, node: NodeId, field: u32) -> Option<NodeId> {
        match &self.node(node).kind {
            NodeKind::Struct(members) | NodeKind::Union(_, members) | NodeKind::View { members, .. } => {
                members.get(field as usize).copied()
            }
            _ => None,
        }
    }

    /// The member of a struct or union type.
    pub fn field(&self, ty: &Type, number: u32) -> Option<Field> {
        let Type::Record(id) = ty.innermost() else {
            return None;
        };
        self.records[id.index()].fields.as_ref()?.get(number as usize).cloned()
    }

    /// The number that holds the bytes of a struct from `byte` on, `count` of them: its node, its position there, and the
    /// first of the bytes in it. `None` if no number holds them all.
    pub fn bytes_in(&self, node: NodeId, byte: u64, count: u64) -> Option<(NodeId, u64, u64)> {
        let here = self.node(node);
        let size = self.size(&here.ty);
        match &here.kind {
            NodeKind::Scalar(_, None) if !is_truth_value(&here.ty) => {
                let within = byte % size;
                (within + count <= size).then_some((node, byte / size, within))
            }
            NodeKind::Struct(members) => members.iter().find_map(|&member| {
                let part = self.node(member);
                let room = part.count.checked_mul(self.size(&part.ty))?;
                let inside = (byte % size).checked_sub(part.position).filter(|inside| *inside < room)?;
                self.bytes_in(member, (byte / size).checked_mul(room)?.checked_add(inside)?, count)
            }),
            _ => None,
        }
    }

    /// `sizeof` of one element.
    pub fn size(&self, ty: &Type) -> u64 {
        size_of(&self.records, ty.innermost()).map_or(1, |(size, _)| size.max(1))
    }

    /// Where an element of a node lies: its whole object, and the byte in it.
    pub fn place_of(&self, node: NodeId, index: i128) -> (NodeId, i128) {
        let (mut here, mut index, mut byte) = (node, index, 0);
        while let Some(parent) = self.node(here).parent {
            let part = self.node(here);
            let count = i128::from(part.count.max(1));
            byte += i128::from(part.position) + index.rem_euclid(count) * i128::from(self.size(&part.ty));
            index = index.div_euclid(count);
            here = parent;
        }
        (here, byte + index * i128::from(self.size(&self.node(here).ty)))
    }

    /// Where a pointer to `target` points that has this node and offset: the whole object, and the byte in it.
    pub fn pointed_place(&self, node: NodeId, offset: i128, target: &Type) -> (NodeId, i128) {
        let (own, wanted) = (self.size(&self.node(node).ty), self.size(target));
        if own == wanted {
            return self.place_of(node, offset);
        }
        let (root, byte) = self.place_of(node, 0);
        (root, byte + offset * i128::from(wanted))
    }

    /// Whether two pointers may point to different parts of one object.
    pub fn may_share_object(&self, a: &Expr, b: &Expr) -> bool {
        let mut parts: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
        for node in self.targets(a) {
            parts.entry(self.root_of(node)).or_default().insert(node);
        }
        self.targets(b)
            .into_iter()
            .any(|node| parts.get(&self.root_of(node)).is_some_and(|others| others.iter().any(|other| *other != node)))
    }

    /// Where a node begins in each element of another one that it is a part of, in bytes; `None` if it is no part of it.
    /// Not known if it has several elements in each of the other's.
    pub fn begin_in(&self, part: NodeId, whole: NodeId) -> Option<Option<u64>> {
        let (mut here, mut byte, mut is_single) = (part, 0, true);
        while here != whole {
            let node = self.node(here);
            byte += node.position;
            is_single &= node.count == 1;
            here = node.parent?;
        }
        Some(is_single.then_some(byte))
    }

    /// Calls `visit` for every cell of a node and its members.
    pub fn for_each_cell(&self, node: NodeId, visit: &mut impl FnMut(CellId)) {
        match &self.node(node).kind {
            NodeKind::Null | NodeKind::Function(_) | NodeKind::Opaque => {}
            NodeKind::Scalar(cell, _) => visit(*cell),
            NodeKind::Pointer(object, offset) => {
                visit(*object);
                visit(*offset);
            }
            NodeKind::Struct(members) => {
                for member in members {
                    self.for_each_cell(*member, visit);
                }
            }
            NodeKind::Union(cell, members) => {
                visit(*cell);
                for member in members {
                    self.for_each_cell(*member, visit);
                }
            }
            NodeKind::View { whole, members, .. } => {
                if let NodeKind::Union(cell, _) = self.node(*whole).kind {
                    visit(cell);
                }
                for member in members {
                    self.for_each_cell(*member, visit);
                }
            }
        }
    }

    /// How many elements a node has, if that is known: of a variable by its type, of what a parameter points to by the
    /// user's word.
    pub fn length(&self, node: NodeId) -> Option<Extent> {
        let mut count = 1u64;
        let mut root = node;
        while let Some(parent) = self.node(root).parent {
            count = count.saturating_mul(self.node(root).count);
            root = parent;
        }
        if let Some((variable, _)) = self.given.iter().find(|(_, object)| **object == root) {
            return self.lengths.get(variable).filter(|_| root == node).map(|length| Extent::Value(length.clone()));
        }
        let is_variable = self.roots.contains(&root);
        let total = count.saturating_mul(self.node(root).count);
        (is_variable && total < FLEXIBLE).then_some(Extent::Elements(total))
    }

    /// Whether a map holds pointers that the function itself makes: at the start it does not, but that cannot be said of
    /// all its elements at once.
    pub fn is_unsettled(&self, cell: CellId) -> bool {
        let cell = self.cell(cell);
        cell.is_map && !cell.given.is_empty() && cell.given != cell.targets
    }

    /// The cells that code elsewhere can reach: all but the variables whose address nobody takes.
    pub fn reachable_cells(&self) -> Vec<CellId> {
        let is_reachable = |cell: &Cell| cell.variable.is_none_or(|variable| self.exposed.contains(&variable));
        (0..self.cells.len() as u32).map(CellId).filter(|cell| is_reachable(self.cell(*cell))).collect()
    }

    /// The node that a pointer to `ty` means, if it points into `node`: wherever it points to, or only if it points to
    /// its start. `None` if the types do not fit each other.
    pub fn adapted(&self, node: NodeId, ty: &Type) -> Option<(NodeId, Fit)> {
        let wanted = ty.innermost();
        let here = self.node(node);
        if same_shape(&self.records, &here.ty, wanted) {
            return Some((node, Fit::Everywhere));
        }
        // A struct seen through its first member.
        let mut inner = node;
        while let Some(first) = self.member(inner, 0) {
            let member = self.node(first);
            if member.position != 0 {
                break;
            }
            inner = first;
            if same_shape(&self.records, &member.ty, wanted) && member.count == 1 {
                return Some((inner, Fit::AtStart));
            }
        }
        // A first member seen as the struct that it begins.
        let mut outer = node;
        while let Some(parent) = self.node(outer).parent {
            if self.node(outer).position != 0 || self.node(outer).count != 1 {
                break;
            }
            outer = parent;
            if same_shape(&self.records, &self.node(outer).ty, wanted) {
                return Some((outer, Fit::AtStart));
            }
        }
        None
    }

    /// A new object of a type.
    fn object(&mut self, name: &str, ty: &Type, variable: Option<VarId>) -> NodeId {
        let is_map = matches!(ty.plain(), Type::Array(..));
        self.new_node(name, ty, NewNode { variable, is_map, parent: None, position: 0, bits: None })
    }

    fn new_node(&mut self, name: &str, ty: &Type, new: NewNode) -> NodeId {
        let inner = ty.innermost().plain().clone();
        let id = NodeId(self.nodes.len() as u32);
        let count = element_count(ty);
        self.nodes.push(Node {
            name: name.to_string(),
            ty: inner.clone(),
            kind: NodeKind::Opaque,
            parent: new.parent,
            position: new.position,
            count,
        });
        let is_map = new.is_map || matches!(ty.plain(), Type::Array(..));
        let kind = match &inner {
            Type::Int(kind) => {
                let content = match new.bits {
                    Some((_, width)) => Content::Bits(width),
                    None => Content::Int(*kind),
                };
                let cell = self.new_cell(name, content, is_map, new.variable);
                NodeKind::Scalar(cell, new.bits.map(|(_, width)| width))
            }
            // Its bits are not known.
            Type::Float(FloatKind::LongDouble) => NodeKind::Opaque,
            Type::Float(kind) => {
                NodeKind::Scalar(self.new_cell(name, Content::Float(*kind), is_map, new.variable), None)
            }
            Type::Pointer(_) => {
                let object = self.new_cell(&format!("{name}'s object"), Content::Object, is_map, new.variable);
                let offset = self.new_cell(&format!("{name}'s offset"), Content::Offset, is_map, new.variable);
                NodeKind::Pointer(object, offset)
            }
            Type::Record(record) => {
                let record = self.records[record.index()].clone();
                let fields = record.fields.unwrap_or_default();
                let member_name = |field: &str| format!("{name}.{field}");
                if record.is_union {
                    let content = match record.size {
                        size if size <= MAX_BIT_VECTOR => Content::Bits((size.max(1) * 8) as u32),
                        _ => Content::Int(IntKind::UChar),
                    };
                    let cell_is_map = is_map || record.size > MAX_BIT_VECTOR;
                    let cell = self.new_cell(name, content, cell_is_map, new.variable);
                    let mut members = Vec::new();
                    for field in &fields {
                        let at = View { whole: id, parent: id, bit: field.offset * 8, is_map };
                        let member = self.new_view(&member_name(&field.name), &field.ty, field.bits, at, new.variable);
                        members.push(member);
                    }
                    NodeKind::Union(cell, members)
                } else {
                    let mut members = Vec::new();
                    for field in &fields {
                        let inside = NewNode {
                            variable: new.variable,
                            is_map,
                            parent: Some(id),
                            position: field.offset,
                            bits: field.bits,
                        };
                        members.push(self.new_node(&member_name(&field.name), &field.ty, inside));
                    }
                    NodeKind::Struct(members)
                }
            }
            _ => NodeKind::Opaque,
        };
        self.nodes[id.index()].kind = kind;
        id
    }

    /// A part of a union. Pointers in unions have cells of their own.
    fn new_view(
        &mut self,
        name: &str,
        ty: &Type,
        bits: Option<(u32, u32)>,
        at: View,
        variable: Option<VarId>,
    ) -> NodeId {
        let inner = ty.innermost().plain().clone();
        let position = at.bit / 8;
        if let Type::Pointer(_) = inner {
            // Those at the same place share their cells; their offsets count bytes, for their types may differ.
            if let Some(&(object, offset)) = self.union_pointers.get(&(at.whole, at.bit)) {
                let id = NodeId(self.nodes.len() as u32);
                self.nodes.push(Node {
                    name: name.to_string(),
                    ty: Type::Void.pointer(),
                    kind: NodeKind::Pointer(object, offset),
                    parent: Some(at.parent),
                    position,
                    count: element_count(ty),
                });
                return id;
            }
            let assumption = "a pointer in a union is read as that pointer only".to_string();
            if !self.assumptions.contains(&assumption) {
                self.assumptions.push(assumption);
            }
            let new = NewNode { variable, is_map: at.is_map, parent: Some(at.parent), position, bits: None };
            let id = self.new_node(name, ty, new);
            self.nodes[id.index()].ty = Type::Void.pointer();
            if let NodeKind::Pointer(object, offset) = self.nodes[id.index()].kind {
                self.union_pointers.insert((at.whole, at.bit), (object, offset));
            }
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            name: name.to_string(),
            ty: inner.clone(),
            kind: NodeKind::Opaque,
            parent: Some(at.parent),
            position,
            count: element_count(ty),
        });
        let first_bit = bits.map_or(0, |(bit, _)| u64::from(bit));
        let (width, members) = match &inner {
            Type::Int(kind) => (Some(bits.map_or(kind.size() as u32 * 8, |(_, width)| width)), Vec::new()),
            Type::Float(kind @ (FloatKind::Float | FloatKind::Double)) => (Some(kind.width()), Vec::new()),
            Type::Record(record) => {
                let fields = self.records[record.index()].fields.clone().unwrap_or_default();
                let mut members = Vec::new();
                for field in &fields {
                    let bit = at.bit + field.offset * 8;
                    let is_map = at.is_map || matches!(ty.plain(), Type::Array(..));
                    let inside = View { whole: at.whole, parent: id, bit, is_map };
                    let name = format!("{name}.{}", field.name);
                    members.push(self.new_view(&name, &field.ty, field.bits, inside, variable));
                }
                (None, members)
            }
            _ => (None, Vec::new()),
        };
        self.nodes[id.index()].kind = NodeKind::View { whole: at.whole, bit: at.bit + first_bit, width, members };
        id
    }

    fn new_cell(&mut self, name: &str, content: Content, is_map: bool, variable: Option<VarId>) -> CellId {
        self.cells.push(Cell {
            name: name.to_string(),
            content,
            is_map,
            constant: None,
            variable,
            targets: BTreeSet::new(),
            given: BTreeSet::new(),
        });
        CellId(self.cells.len() as u32 - 1)
    }
}

/// How a node is made.
struct NewNode {
    variable: Option<VarId>,
    /// Whether something around it is an array.
    is_map: bool,
    parent: Option<NodeId>,
    position: u64,
    bits: Option<(u32, u32)>,
}

/// Where a part of a union lies.
#[derive(Clone, Copy)]
struct View {
    whole: NodeId,
    parent: NodeId,
    bit: u64,
    is_map: bool,
}

/// A flexible array has room for so many elements: no access goes from one to the next.
const FLEXIBLE: u64 = 1 << 32;

/// How many innermost elements a value of the type has.
fn element_count(ty: &Type) -> u64 {
    match ty.plain() {
        Type::Array(element, crate::program::Length::Fixed(length)) => {
            element_count(element).saturating_mul((*length).max(1)).min(FLEXIBLE)
        }
        Type::Array(..) => FLEXIBLE,
        _ => 1,
    }
}

/// `_Bool`: its one bit is not the bits of its byte.
pub fn is_truth_value(ty: &Type) -> bool {
    *ty.plain() == Type::Int(IntKind::Bool)
}

/// Whether values of two types can stand for each other bit by bit.
fn same_shape(records: &[Record], a: &Type, b: &Type) -> bool {
    match (a.plain(), b.plain()) {
        (Type::Record(x), Type::Record(y)) if x != y => {
            let (x, y) = (&records[x.index()], &records[y.index()]);
            let (Some(fields), Some(others)) = (&x.fields, &y.fields) else {
                return false;
            };
            x.is_union == y.is_union
                && x.size == y.size
                && fields.len() == others.len()
                && fields.iter().zip(others).all(|(a, b)| {
                    (a.offset, a.bits) == (b.offset, b.bits)
                        && element_count(&a.ty) == element_count(&b.ty)
                        && same_shape(records, a.ty.innermost(), b.ty.innermost())
                })
        }
        // A truth value has one bit here.
        (Type::Int(x), Type::Int(y)) => x.width() == y.width(),
        (Type::Int(x), Type::Float(y)) | (Type::Float(y), Type::Int(x)) => x.width() == y.width(),
        (Type::Pointer(_), Type::Pointer(_)) => true,
        (x, y) => x == y,
    }
}

/// The roles of variables whose value at the start is given from outside.
fn is_given(role: Role) -> bool {
    matches!(role, Role::Parameter | Role::Global)
}
