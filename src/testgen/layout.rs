//! Laying out: [`Solution`] → [`Inputs`].
//!
//! The cells of the memory model become bytes where the compiler puts them. Objects without a name get as many elements as
//! the solution speaks of (all that it reads, writes and points to), or as many as their length says, with padding around
//! them. What the solution leaves open is zero, and pointers are null if they may be, else point to something.

use std::collections::{BTreeMap, BTreeSet};

use super::inputs::{Address, Answered, Image, Inputs, Object};
use super::solution::Solution;
use crate::cfg::Cfg;
use crate::memory::{CellId, Content, Memory, NodeId, NodeKind};
use crate::program::{IntKind, Role, Type, VarId};

/// An object with more elements is not laid out.
const MAX_ELEMENTS: i128 = 1 << 16;

/// So many elements more are laid out around what the solution speaks of, if the length is not known: the run goes on
/// behind the end of the path.
const SLACK: i128 = 16;

/// Why there is no memory for a solution, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unrealizable(pub(super) String);

/// A solution as memory.
pub(super) struct LaidOut {
    /// The memory, and the answers of the environment.
    pub(super) inputs: Inputs,
    /// Whether it is all in there: what a solution says of memory outside of variables is not.
    pub(super) is_complete: bool,
}

/// Lays out a solution.
pub(super) fn lay_out(cfg: &Cfg, memory: &Memory, solution: &Solution) -> Result<LaidOut, Unrealizable> {
    let variables = cfg.variables.iter().enumerate().map(|(index, _)| VarId(index as u32));
    let variable_of = variables.map(|variable| (memory.root(variable), variable)).collect();
    let mut layout =
        Layout { cfg, memory, solution, variable_of, numbers: BTreeMap::new(), order: Vec::new(), is_complete: true };
    let mut inputs = Inputs::default();
    for (index, variable) in cfg.variables.iter().enumerate() {
        let id = VarId(index as u32);
        let is_input = match variable.role {
            Role::Parameter => cfg.parameters.contains(&id),
            Role::Global => layout.is_mentioned(memory.root(id)),
            _ => false,
        };
        if is_input {
            let size = layout.size_of_variable(&variable.ty)?;
            let image = layout.image(memory.root(id), 0, size, Contents::of(solution))?;
            inputs.variables.insert(id, image);
        }
    }
    for (source, variable, values) in &solution.answers {
        let size = layout.size_of_variable(&cfg.variables[variable.index()].ty)?;
        let image = layout.image(memory.root(*variable), 0, size, Contents { values, elements: None })?;
        inputs.answers.push(Answered { source: source.clone(), image });
    }
    // Each object can bring others.
    let mut next = 0;
    while next < layout.order.len() {
        let object = layout.object(layout.order[next])?;
        inputs.objects.push(object);
        next += 1;
    }
    Ok(LaidOut { inputs, is_complete: layout.is_complete })
}

/// What the cells of memory hold.
#[derive(Clone, Copy)]
struct Contents<'a> {
    /// Cells with a single value.
    values: &'a BTreeMap<CellId, i128>,
    /// Cells that are maps, by index.
    elements: Option<&'a BTreeMap<CellId, BTreeMap<i128, i128>>>,
}

impl<'a> Contents<'a> {
    /// What they hold at the start.
    fn of(solution: &'a Solution) -> Contents<'a> {
        Contents { values: &solution.values, elements: Some(&solution.elements) }
    }
}

struct Layout<'a> {
    cfg: &'a Cfg,
    memory: &'a Memory,
    solution: &'a Solution,
    variable_of: BTreeMap<NodeId, VarId>,
    /// The numbers of the objects so far, by their root.
    numbers: BTreeMap<NodeId, usize>,
    /// The roots of the objects in the order of their numbers.
    order: Vec<NodeId>,
    is_complete: bool,
}

impl Layout<'_> {
    /// Whether the solution speaks of a part of the node.
    fn is_mentioned(&self, node: NodeId) -> bool {
        let mut mentioned = false;
        self.memory.for_each_cell(node, &mut |cell| {
            mentioned |= self.solution.values.contains_key(&cell) || self.solution.elements.contains_key(&cell);
        });
        mentioned
    }

    fn size_of_variable(&self, ty: &Type) -> Result<u64, Unrealizable> {
        match crate::program::size_of(&self.memory.records, ty) {
            Some((size, _)) if size <= 1 << 24 => Ok(size),
            _ => Err(Unrealizable("the size of a variable is not known".to_string())),
        }
    }

    /// An object without a name.
    fn object(&mut self, root: NodeId) -> Result<Object, Unrealizable> {
        let node = self.memory.node(root);
        let size = self.memory.size(&node.ty);
        let mut used: BTreeSet<i128> = BTreeSet::from([0]);
        let mut is_elsewhere = false;
        let length = self.solution.lengths.get(&root).copied().map(|length| length.max(0));
        self.for_each_leaf(root, &mut |layout, leaf, cells| {
            for cell in cells {
                let elements = layout.solution.elements.get(cell).into_iter().flat_map(BTreeMap::keys);
                let touched = layout.solution.touched.get(cell).into_iter().flatten();
                for index in elements.chain(touched) {
                    let element = layout.position(leaf, *index).1.div_euclid(i128::from(size));
                    used.insert(element);
                    is_elsewhere |= !(0..length.unwrap_or(1)).contains(&element) && layout.is_elsewhere(leaf, *index);
                }
            }
        });
        self.is_complete &= !is_elsewhere;
        used.extend(self.pointed_at(root));
        let (least, most) = (*used.first().expect("0 is used"), *used.last().expect("0 is used"));
        let (first, end) = match length {
            // One element of padding at least, which predicates can look at.
            Some(length) => (least.min(-1), (most + 1).max(length + 1)),
            None => (least - SLACK, most + 1 + SLACK),
        };
        if end - first > MAX_ELEMENTS {
            return Err(Unrealizable(format!("`{}` would have {} elements", node.name, end - first)));
        }
        let bytes = (end - first) as u64 * size;
        let origin = first * i128::from(size);
        let image = self.image(root, origin, bytes, Contents::of(self.solution))?;
        Ok(Object {
            name: node.name.clone(),
            ty: node.ty.clone(),
            first: first as i64,
            length: length.map(|length| length as u64),
            image,
        })
    }

    /// The elements of an object that pointers of the solution point to.
    fn pointed_at(&self, root: NodeId) -> BTreeSet<i128> {
        let memory = self.memory;
        let size = i128::from(memory.size(&memory.node(root).ty));
        let mut found = BTreeSet::new();
        for number in 0..memory.node_count() {
            let id = NodeId(number as u32);
            let node = memory.node(id);
            let NodeKind::Pointer(object, offset) = node.kind else {
                continue;
            };
            let target = node.ty.pointee().cloned().unwrap_or(Type::Void);
            let mut add = |object: i128, offset: i128| {
                if let Some((found_root, byte)) = self.place(object, offset, &target)
                    && found_root == root
                {
                    found.insert(byte.div_euclid(size));
                }
            };
            let (objects, offsets) = (&self.solution.elements.get(&object), &self.solution.elements.get(&offset));
            if let Some(objects) = objects {
                for (index, value) in *objects {
                    add(*value, offsets.and_then(|offsets| offsets.get(index)).copied().unwrap_or(0));
                }
            }
            if let Some(value) = self.solution.values.get(&object) {
                add(*value, self.solution.values.get(&offset).copied().unwrap_or(0));
            }
        }
        found
    }

    /// The bytes of a node and everything in it, from byte `origin` on.
    fn image(&mut self, root: NodeId, origin: i128, size: u64, contents: Contents<'_>) -> Result<Image, Unrealizable> {
        let mut image = Image { bytes: vec![0; size as usize], addresses: BTreeMap::new() };
        let mut leaves = Vec::new();
        self.for_each_leaf(root, &mut |_, leaf, _| leaves.push(leaf));
        for leaf in leaves {
            let node = self.memory.node(leaf);
            match node.kind {
                NodeKind::Scalar(cell, _) | NodeKind::Union(cell, _) => {
                    let width = self.width(leaf, cell);
                    let is_map = self.memory.cell(cell).is_map;
                    let all = if is_map { contents.elements.and_then(|elements| elements.get(&cell)) } else { None };
                    for (index, value) in all.into_iter().flatten() {
                        let (bit, byte) = self.position(leaf, *index);
                        self.is_complete &=
                            write_bits(&mut image.bytes, (byte - origin) * 8 + bit, width, self.stored(cell, *value));
                    }
                    if let Some(value) = contents.values.get(&cell).filter(|_| !is_map) {
                        let (bit, byte) = self.position(leaf, 0);
                        self.is_complete &=
                            write_bits(&mut image.bytes, (byte - origin) * 8 + bit, width, self.stored(cell, *value));
                    }
                }
                NodeKind::Pointer(object, offset) => {
                    self.pointers(leaf, (object, offset), origin, contents, &mut image)?;
                }
                _ => {}
            }
        }
        Ok(image)
    }

    /// The addresses of a node of pointers.
    fn pointers(
        &mut self,
        leaf: NodeId,
        (object, offset): (CellId, CellId),
        origin: i128,
        contents: Contents<'_>,
        image: &mut Image,
    ) -> Result<(), Unrealizable> {
        let node = self.memory.node(leaf);
        let target = node.ty.pointee().cloned().unwrap_or(Type::Void);
        let (is_map, count) = (self.memory.cell(object).is_map, image.bytes.len() as i128 / 8);
        let known = |cell: CellId, index: i128| {
            let constant = self.memory.cell(cell).constant;
            let value = match is_map {
                true => contents.elements.and_then(|elements| elements.get(&cell)?.get(&index)),
                false => contents.values.get(&cell),
            };
            constant.or(value.copied())
        };
        // Every pointer of the image: those of a map are at its indices, as far as they lie inside.
        let (first, last) = if is_map { (origin / 8 - 1, origin / 8 + count + 1) } else { (0, 0) };
        let mut found = Vec::new();
        for index in first..=last {
            let byte = self.position(leaf, index).1 - origin;
            if byte < 0 || byte + 8 > image.bytes.len() as i128 {
                continue;
            }
            let given = &self.memory.cell(object).given;
            let default = if given.contains(&NodeId::NULL) { None } else { given.first() };
            let object = known(object, index).unwrap_or_else(|| default.map_or(0, |node| i128::from(node.0)));
            found.push((byte as u64, object, known(offset, index).unwrap_or(0)));
        }
        for (byte, object, offset) in found {
            if let Some(address) = self.address(object, offset, &target)? {
                image.addresses.insert(byte, address);
            }
        }
        Ok(())
    }

    /// Where a pointer value points; `None` for the null pointer.
    fn address(&mut self, object: i128, offset: i128, target: &Type) -> Result<Option<Address>, Unrealizable> {
        let Some(node) = self.node(object) else {
            return Ok(None);
        };
        if let NodeKind::Function(function) = self.memory.node(node).kind {
            return Ok(Some(Address::Function(function)));
        }
        if node == NodeId::OUTSIDE {
            return Err(Unrealizable("a pointer would point to a function from outside".to_string()));
        }
        let Some((root, byte)) = self.place(object, offset, target) else {
            return Err(Unrealizable("a pointer would point to nothing that a test can make".to_string()));
        };
        let byte = i64::try_from(byte).map_err(|_| Unrealizable("a pointer would point too far away".to_string()))?;
        if let Some(variable) = self.variable_of.get(&root) {
            return match self.cfg.variables[variable.index()].role {
                Role::Global | Role::Parameter | Role::Literal => Ok(Some(Address::Variable(*variable, byte))),
                _ => Err(Unrealizable("a pointer would point to a variable that is not there yet".to_string())),
            };
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(root).or_insert(next);
        if number == next {
            self.order.push(root);
        }
        Ok(Some(Address::Object(number, byte)))
    }

    /// The node of that number; `None` for the null pointer.
    fn node(&self, object: i128) -> Option<NodeId> {
        let number = u32::try_from(object).ok().filter(|number| (*number as usize) < self.memory.node_count())?;
        (NodeId(number) != NodeId::NULL).then_some(NodeId(number))
    }

    /// Root and byte that a pointer to `target` points to.
    fn place(&self, object: i128, offset: i128, target: &Type) -> Option<(NodeId, i128)> {
        let node = self.node(object)?;
        if matches!(self.memory.node(node).kind, NodeKind::Null | NodeKind::Function(_)) {
            return None;
        }
        Some(self.memory.pointed_place(node, offset, target))
    }

    /// Whether a run would look for an element elsewhere: before and behind an array in a struct lie other members, while
    /// the formulas take it that the same array of the next struct does.
    fn is_elsewhere(&self, leaf: NodeId, index: i128) -> bool {
        let byte = |index: i128| self.position(leaf, index).1;
        byte(index) != byte(0) + index * (byte(1) - byte(0))
    }

    /// Where the element of a cell is in the whole object: the bit in its byte, and the byte.
    fn position(&self, node: NodeId, index: i128) -> (i128, i128) {
        if self.is_bytes(node) {
            // A large union is a map from bytes.
            let size = i128::from(self.memory.size(&self.memory.node(node).ty));
            let (_, byte) = self.memory.place_of(node, index.div_euclid(size));
            return (0, byte + index.rem_euclid(size));
        }
        (self.first_bit(node), self.memory.place_of(node, index).1)
    }

    /// Whether the node is a union that is kept as bytes.
    fn is_bytes(&self, node: NodeId) -> bool {
        match self.memory.node(node).kind {
            NodeKind::Union(cell, _) => matches!(self.memory.cell(cell).content, Content::Int(_)),
            _ => false,
        }
    }

    /// The first bit of a bit-field, counted from the position of its node.
    fn first_bit(&self, node: NodeId) -> i128 {
        let (NodeKind::Scalar(_, Some(_)), Some(parent)) =
            (&self.memory.node(node).kind, self.memory.node(node).parent)
        else {
            return 0;
        };
        let NodeKind::Struct(members) = &self.memory.node(parent).kind else {
            return 0;
        };
        let number = members.iter().position(|member| *member == node).unwrap_or(0);
        let field = self.memory.field(&self.memory.node(parent).ty, number as u32);
        field.and_then(|field| field.bits).map_or(0, |(bit, _)| i128::from(bit))
    }

    /// A value as memory holds it: that of a `_Bool` has one bit, which must not be taken for a sign.
    fn stored(&self, cell: CellId, value: i128) -> i128 {
        match self.memory.cell(cell).content {
            Content::Int(IntKind::Bool) => value & 1,
            _ => value,
        }
    }

    /// How many bits one value of a cell has.
    fn width(&self, leaf: NodeId, cell: CellId) -> u32 {
        match self.memory.cell(cell).content {
            Content::Bits(width) => width,
            Content::Float(kind) => kind.width(),
            Content::Int(_) if self.is_bytes(leaf) => 8,
            Content::Int(kind) => (kind.size() * 8) as u32,
            Content::Object | Content::Offset => 64,
        }
    }

    /// Calls `visit` for every part of a node that has cells of its own.
    fn for_each_leaf(&self, node: NodeId, visit: &mut impl FnMut(&Self, NodeId, &[CellId])) {
        match &self.memory.node(node).kind {
            NodeKind::Scalar(cell, _) => visit(self, node, &[*cell]),
            NodeKind::Pointer(object, offset) => visit(self, node, &[*object, *offset]),
            NodeKind::Struct(members) => {
                for member in members {
                    self.for_each_leaf(*member, visit);
                }
            }
            NodeKind::Union(cell, members) => {
                visit(self, node, &[*cell]);
                for member in members {
                    self.for_each_leaf(*member, visit);
                }
            }
            NodeKind::View { members, .. } => {
                for member in members {
                    self.for_each_leaf(*member, visit);
                }
            }
            NodeKind::Null | NodeKind::Function(_) | NodeKind::Opaque => {}
        }
    }
}

/// Writes the low `width` bits of a value, least significant bit first, from bit `at` on, if they lie inside.
fn write_bits(bytes: &mut [u8], at: i128, width: u32, value: i128) -> bool {
    let inside = at >= 0 && at + i128::from(width) <= bytes.len() as i128 * 8;
    if !inside {
        return false;
    }
    for bit in 0..width {
        let position = at as usize + bit as usize;
        let is_set = value >> bit.min(126) & 1 == 1;
        let mask = 1 << (position % 8);
        if is_set {
            bytes[position / 8] |= mask;
        } else {
            bytes[position / 8] &= !mask;
        }
    }
    true
}
