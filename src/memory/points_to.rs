//! What every pointer can point to, whatever the order of the steps (Andersen's inclusion-based analysis).
//!
//! The least sets such that every assignment of the graph carries what its right side can point to into the cells that
//! its left side can mean, starting from what the pointers that the function is given can point to. Members are kept
//! apart, elements of an array are not. The order of the steps does not matter, so the sets hold at every point.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::{Content, Fit, Memory, NodeId, NodeKind, is_given};
use crate::cfg::{Action, Cfg};
use crate::config::Config;
use crate::program::{Base, CompareOp, Expr, ExprKind, Length, Place, Projection, Role, Type, VarId};

/// Nodes.
type Targets = BTreeSet<NodeId>;

/// The objects without a name that pointers in memory point to.
#[derive(Default)]
struct Unnamed {
    by_type: HashMap<Type, NodeId>,
    /// Those whose own pointers have their targets.
    given: BTreeSet<NodeId>,
}

/// Fills in the targets of all pointer cells.
pub(super) fn solve(memory: &mut Memory, cfg: &Cfg, config: &Config, observed: &[&Expr]) {
    let mut unnamed = Unnamed::default();
    absolute_objects(memory, cfg);
    give(memory, cfg, config, &mut unnamed);
    remember_given(memory);
    propagate(memory, cfg, &mut unnamed);
    // A parameter that nothing is compared with may as well be taken as valid: nothing observes the difference.
    let tested = tested(memory, cfg, observed);
    let mut valid = Vec::new();
    for (&variable, &object) in &memory.given {
        if !tested.contains(&object) {
            valid.push((variable, object));
        }
    }
    if !valid.is_empty() {
        for cell in &mut memory.cells {
            cell.targets.clear();
        }
        unnamed.given.clear();
        let names: Vec<String> =
            valid.iter().map(|(variable, _)| format!("`{}`", cfg.variables[variable.index()].name)).collect();
        memory.assumptions.push(format!("{} point{} to valid objects", names.join(", "), plural_verb(names.len())));
        give(memory, cfg, config, &mut unnamed);
        for (variable, _) in valid {
            if let NodeKind::Pointer(object, _) = memory.node(memory.root(variable)).kind {
                memory.cells[object.index()].targets.remove(&NodeId::NULL);
            }
        }
        remember_given(memory);
        propagate(memory, cfg, &mut unnamed);
    }
    for cell in &mut memory.cells {
        if cell.content == Content::Object
            && let [only] = cell.targets.iter().copied().collect::<Vec<_>>().as_slice()
        {
            cell.constant = Some(i128::from(only.0));
        }
    }
}

fn remember_given(memory: &mut Memory) {
    for cell in &mut memory.cells {
        cell.given = cell.targets.clone();
    }
}

fn plural_verb(count: usize) -> &'static str {
    if count == 1 { "s" } else { "" }
}

/// The objects of numbers that are used as addresses.
fn absolute_objects(memory: &mut Memory, cfg: &Cfg) {
    let mut types = BTreeSet::new();
    for_each_expr(cfg, &mut |expr| {
        let from_number = match &expr.kind {
            ExprKind::Constant(value) => *value != 0,
            ExprKind::Cast(inner) => inner.ty.int_kind().is_some(),
            _ => false,
        };
        if let (true, Some(target)) = (from_number, expr.ty.pointee()) {
            types.insert(target.innermost().plain().clone());
        }
    });
    if !types.is_empty() {
        memory.assumptions.push("memory at an absolute address is used by one type".to_string());
    }
    for ty in types {
        let object = memory.object("memory at absolute addresses", &unbounded(&ty), None);
        memory.absolute.insert(ty, object);
    }
}

fn unbounded(ty: &Type) -> Type {
    let element = if *ty == Type::Void { Type::Int(crate::program::IntKind::Char) } else { ty.clone() };
    Type::Array(Arc::new(element), Length::Unknown)
}

/// What the pointers of parameters and globals can point to at the start.
fn give(memory: &mut Memory, cfg: &Cfg, config: &Config, unnamed: &mut Unnamed) {
    for (index, variable) in cfg.variables.iter().enumerate() {
        let id = VarId(index as u32);
        if !is_given(variable.role) {
            continue;
        }
        let root = memory.root(id);
        let is_parameter = variable.role == Role::Parameter && cfg.parameters.contains(&id);
        if variable.role == Role::Parameter && !is_parameter {
            // A parameter of a callee: its instances are what is assigned.
            continue;
        }
        if let (true, NodeKind::Pointer(cell, _), Some(target)) =
            (is_parameter, memory.node(root).kind.clone(), variable.ty.pointee())
        {
            let target = match target.plain() {
                Type::Void => converted_to(cfg, id).unwrap_or(Type::Void),
                other => other.clone(),
            };
            let own = !matches!(target, Type::Function(_)) && !config.may_alias && !is_recursive(memory, &target);
            if own {
                let object = *memory.given.get(&id).unwrap_or(&NodeId::NULL);
                let object = match object {
                    NodeId::NULL => {
                        let name = format!("*{}", variable.name);
                        memory.object(&name, &unbounded(target.innermost()), None)
                    }
                    known => known,
                };
                memory.given.insert(id, object);
                memory.cells[cell.index()].targets.extend([NodeId::NULL, object]);
                give_inside(memory, object, unnamed);
                continue;
            }
        }
        give_inside(memory, root, unnamed);
    }
}

/// The type that a `void *` parameter is converted to, if there is one.
fn converted_to(cfg: &Cfg, variable: VarId) -> Option<Type> {
    let mut found = None;
    for_each_expr(cfg, &mut |expr| {
        if let ExprKind::Cast(inner) = &expr.kind
            && let ExprKind::Load(place) = &inner.kind
            && place.as_variable() == Some(variable)
            && let Some(target) = expr.ty.pointee()
            && *target.plain() != Type::Void
            && found.is_none()
        {
            found = Some(target.innermost().plain().clone());
        }
    });
    found
}

/// Whether values of the type can lead to further values of the type.
fn is_recursive(memory: &Memory, ty: &Type) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = pointees(memory, ty);
    while let Some(next) = work.pop() {
        if next == *ty.innermost().plain() {
            return true;
        }
        if seen.insert(next.clone()) {
            work.extend(pointees(memory, &next));
        }
    }
    false
}

/// The types that pointers inside a value point to.
fn pointees(memory: &Memory, ty: &Type) -> Vec<Type> {
    match ty.innermost().plain() {
        Type::Pointer(target) => vec![target.innermost().plain().clone()],
        Type::Record(id) => {
            let fields = memory.records[id.index()].fields.as_deref().unwrap_or_default();
            fields.iter().flat_map(|field| pointees(memory, &field.ty)).collect()
        }
        _ => Vec::new(),
    }
}

/// The pointers inside a node point to the objects that stand for what is in memory.
fn give_inside(memory: &mut Memory, node: NodeId, unnamed: &mut Unnamed) {
    match memory.node(node).kind.clone() {
        NodeKind::Pointer(cell, _) => {
            let target = memory.node(node).ty.pointee().cloned().unwrap_or(Type::Void);
            let targets = input_targets(memory, &target, unnamed);
            memory.cells[cell.index()].targets.extend(targets);
        }
        NodeKind::Struct(members) | NodeKind::Union(_, members) | NodeKind::View { members, .. } => {
            for member in members {
                give_inside(memory, member, unnamed);
            }
        }
        _ => {}
    }
}

/// What a pointer of unknown origin can point to.
fn input_targets(memory: &mut Memory, target: &Type, unnamed: &mut Unnamed) -> Targets {
    let inner = target.innermost().plain().clone();
    if let Type::Function(_) = inner {
        let known = memory.functions.values().copied();
        return known.chain([NodeId::NULL, NodeId::OUTSIDE]).collect();
    }
    let object = match unnamed.by_type.get(&inner) {
        Some(known) => *known,
        None => {
            let words = inner.display(&memory.records).to_string();
            let object = memory.object(&format!("some {words}"), &unbounded(&inner), None);
            unnamed.by_type.insert(inner, object);
            object
        }
    };
    // Its own pointers, once: a list ends here.
    if unnamed.given.insert(object) {
        give_inside(memory, object, unnamed);
    }
    BTreeSet::from([NodeId::NULL, object])
}

impl Memory {
    /// The nodes that a place can mean.
    pub fn places(&self, place: &Place) -> Targets {
        let (mut nodes, path): (Targets, &[Projection]) = match &place.base {
            Base::Variable(variable) => (BTreeSet::from([self.root(*variable)]), &place.path),
            Base::Pointee(pointer) => {
                let target = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
                let nodes = self.targets(pointer).into_iter();
                (nodes.filter_map(|node| self.adapted(node, &target)).map(|(node, _)| node).collect(), &place.path)
            }
        };
        for projection in path {
            if let Projection::Field(field) = projection {
                nodes = nodes.into_iter().filter_map(|node| self.member(node, *field)).collect();
            }
        }
        nodes
    }

    /// The objects that a place can mean although their types do not fit it: anything in them can be meant.
    pub fn misfits(&self, place: &Place) -> Targets {
        self.unfitting(place).into_iter().map(|node| self.root_of(node)).collect()
    }

    /// The nodes that the pointer of a place can point to although their types do not fit the place.
    fn unfitting(&self, place: &Place) -> Targets {
        let Base::Pointee(pointer) = &place.base else {
            return Targets::new();
        };
        let target = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
        let mut unfitting = Targets::new();
        for node in self.targets(pointer) {
            let is_object = !matches!(self.node(node).kind, NodeKind::Null | NodeKind::Function(_));
            let adapted = self.adapted(node, &target);
            let fits = adapted.filter(|(_, fit)| *fit == Fit::Everywhere || self.is_at_start(pointer));
            let mut inner = fits.map(|(node, _)| node);
            for projection in &place.path {
                if let Projection::Field(field) = projection {
                    inner = inner.and_then(|node| self.member(node, *field));
                }
            }
            if is_object && node != NodeId::OUTSIDE && inner.is_none() {
                unfitting.insert(node);
            }
        }
        unfitting
    }

    /// Whether a pointer plainly points to the first element of an object.
    fn is_at_start(&self, pointer: &Expr) -> bool {
        match &pointer.kind {
            ExprKind::Cast(inner) if inner.ty.pointee().is_some() => self.is_at_start(inner),
            ExprKind::Address(place) => match &place.base {
                Base::Variable(_) => place.path.iter().all(|projection| match projection {
                    Projection::Index(index, _) => index.is_zero(),
                    Projection::Field(_) => true,
                }),
                Base::Pointee(_) => false,
            },
            ExprKind::Load(place) => self.places(place).into_iter().all(|node| match self.node(node).kind {
                NodeKind::Pointer(_, offset) => self.cell(offset).constant == Some(0),
                _ => false,
            }),
            _ => false,
        }
    }

    /// The object that a node is a part of.
    pub fn root_of(&self, node: NodeId) -> NodeId {
        let mut root = node;
        while let Some(parent) = self.node(root).parent {
            root = parent;
        }
        root
    }

    /// Everything that a pointer to the type could point to.
    fn anything(&self, target: &Type) -> Targets {
        let is_function = matches!(target.plain(), Type::Function(_));
        let mut all = Targets::from([NodeId::NULL]);
        for index in 1..self.node_count() as u32 {
            let node = NodeId(index);
            let fits = match self.node(node).kind {
                NodeKind::Function(_) => is_function,
                _ if node == NodeId::OUTSIDE => is_function,
                _ => !is_function && (*target.plain() == Type::Void || self.adapted(node, target).is_some()),
            };
            if fits {
                all.insert(node);
            }
        }
        all
    }

    /// The nodes that the value of an expression can point to.
    pub fn targets(&self, expr: &Expr) -> Targets {
        match &expr.kind {
            ExprKind::Constant(0) => BTreeSet::from([NodeId::NULL]),
            ExprKind::Constant(_) => expr.ty.pointee().and_then(|target| self.absolute(target)).into_iter().collect(),
            ExprKind::Load(place) => {
                let mut targets = Targets::new();
                for node in self.places(place) {
                    if let NodeKind::Pointer(object, _) = self.node(node).kind {
                        targets.extend(&self.cell(object).targets);
                    }
                }
                if !self.misfits(place).is_empty() {
                    targets.extend(self.anything(expr.ty.pointee().unwrap_or(&Type::Void)));
                }
                targets
            }
            ExprKind::Address(place) => self.places(place).union(&self.unfitting(place)).copied().collect(),
            ExprKind::Function(id) => BTreeSet::from([self.function(*id)]),
            ExprKind::Cast(inner) if inner.ty.pointee().is_some() => self.targets(inner),
            ExprKind::Cast(_) => {
                let absolute = expr.ty.pointee().and_then(|target| self.absolute(target));
                absolute.into_iter().chain([NodeId::NULL]).collect()
            }
            ExprKind::Move(pointer, ..) => self.targets(pointer),
            ExprKind::Conditional(_, a, b) => self.targets(a).union(&self.targets(b)).copied().collect(),
            _ => Targets::new(),
        }
    }
}

/// Carries targets along all assignments until nothing changes.
fn propagate(memory: &mut Memory, cfg: &Cfg, unnamed: &mut Unnamed) {
    loop {
        let before: usize = memory.cells.iter().map(|cell| cell.targets.len()).sum();
        let nodes = memory.node_count();
        for edge in cfg.successors.iter().flatten() {
            match &edge.action {
                Action::Assign(place, value) if value.ty.pointee().is_some() => {
                    let targets = memory.targets(value);
                    for node in memory.places(place) {
                        add(memory, node, &targets);
                    }
                    for root in memory.misfits(place) {
                        add_everywhere(memory, root, &targets);
                    }
                }
                Action::Copy(to, from) => {
                    let (targets, sources) = (memory.places(to), memory.places(from));
                    for &source in &sources {
                        for &target in &targets {
                            copy(memory, target, source);
                        }
                    }
                    if !memory.misfits(from).is_empty() {
                        for &target in &targets {
                            add_anything(memory, target);
                        }
                    }
                    // Seen through a type that does not fit, anything can end up anywhere.
                    for root in memory.misfits(to) {
                        give_inside(memory, root, unnamed);
                        for &source in &sources {
                            let mut all = Targets::new();
                            pointed_to(memory, source, &mut all);
                            add_everywhere(memory, root, &all);
                        }
                    }
                }
                Action::Zero(place) => {
                    for node in memory.places(place) {
                        zero(memory, node);
                    }
                }
                Action::Havoc(place, _) | Action::Forget(place) => {
                    for node in memory.places(place) {
                        give_inside(memory, node, unnamed);
                    }
                }
                Action::HavocObject(pointer) | Action::ForgetObject(pointer) => {
                    for node in memory.targets(pointer) {
                        give_inside(memory, node, unnamed);
                    }
                }
                Action::ForgetMemory => {
                    // Anything that a callee can write may hold anything that is known of its type.
                    for index in 0..memory.node_count() {
                        give_inside(memory, NodeId(index as u32), unnamed);
                    }
                }
                _ => {}
            }
        }
        let after: usize = memory.cells.iter().map(|cell| cell.targets.len()).sum();
        if after == before && memory.node_count() == nodes {
            return;
        }
    }
}

/// Every pointer in a node can point to anything of its type.
fn add_anything(memory: &mut Memory, node: NodeId) {
    if let NodeKind::Pointer(object, _) = memory.node(node).kind {
        let target = memory.node(node).ty.pointee().cloned().unwrap_or(Type::Void);
        let all = memory.anything(&target);
        memory.cells[object.index()].targets.extend(all);
    }
    for member in members(&memory.node(node).kind.clone()) {
        add_anything(memory, member);
    }
}

/// Everything that pointers in a node point to.
fn pointed_to(memory: &Memory, node: NodeId, all: &mut Targets) {
    if let NodeKind::Pointer(object, _) = memory.node(node).kind {
        all.extend(&memory.cell(object).targets);
    }
    for member in members(&memory.node(node).kind) {
        pointed_to(memory, member, all);
    }
}

/// Every pointer in an object can point to the targets.
fn add_everywhere(memory: &mut Memory, node: NodeId, targets: &Targets) {
    add(memory, node, targets);
    for member in members(&memory.node(node).kind.clone()) {
        add_everywhere(memory, member, targets);
    }
}

fn add(memory: &mut Memory, node: NodeId, targets: &Targets) {
    if let NodeKind::Pointer(object, _) = memory.node(node).kind {
        memory.cells[object.index()].targets.extend(targets);
    }
}

/// Everything that pointers in one node point to, pointers in the other of the same type can point to.
fn copy(memory: &mut Memory, to: NodeId, from: NodeId) {
    match (memory.node(to).kind.clone(), memory.node(from).kind.clone()) {
        (NodeKind::Pointer(target, _), NodeKind::Pointer(source, _)) => {
            let targets = memory.cell(source).targets.clone();
            memory.cells[target.index()].targets.extend(targets);
        }
        (a, b) => {
            for (to, from) in members(&a).into_iter().zip(members(&b)) {
                copy(memory, to, from);
            }
        }
    }
}

fn zero(memory: &mut Memory, node: NodeId) {
    match memory.node(node).kind.clone() {
        NodeKind::Pointer(object, _) => {
            memory.cells[object.index()].targets.insert(NodeId::NULL);
        }
        kind => {
            for member in members(&kind) {
                zero(memory, member);
            }
        }
    }
}

fn members(kind: &NodeKind) -> Vec<NodeId> {
    match kind {
        NodeKind::Struct(members) | NodeKind::Union(_, members) | NodeKind::View { members, .. } => members.clone(),
        _ => Vec::new(),
    }
}

/// The objects of parameters that some pointer can point into that may be compared with the null pointer. C does not define
/// the order of the null pointer and another one, so whoever asks for the order takes both as valid.
fn tested(memory: &Memory, cfg: &Cfg, observed: &[&Expr]) -> BTreeSet<NodeId> {
    let mut tested = BTreeSet::new();
    let mut visit = |expr: &Expr| {
        if let ExprKind::Compare(CompareOp::Equal | CompareOp::NotEqual, a, b) = &expr.kind
            && (a.ty.pointee().is_some() || b.ty.pointee().is_some())
        {
            for side in [a, b] {
                tested.extend(memory.targets(side).into_iter().map(|node| memory.root_of(node)));
            }
        }
    };
    for_each_expr(cfg, &mut visit);
    for expr in observed {
        expr.for_each(&mut visit);
    }
    tested
}

/// Calls `visit` for every expression of the graph.
pub(super) fn for_each_expr<'a>(cfg: &'a Cfg, visit: &mut impl FnMut(&'a Expr)) {
    for edge in cfg.successors.iter().flatten() {
        match &edge.action {
            Action::Assign(place, value) => {
                place.for_each_expr(visit);
                value.for_each(visit);
            }
            Action::Copy(to, from) => {
                to.for_each_expr(visit);
                from.for_each_expr(visit);
            }
            Action::Zero(place) | Action::Havoc(place, _) | Action::Forget(place) => place.for_each_expr(visit),
            Action::HavocObject(pointer) | Action::ForgetObject(pointer) => pointer.for_each(visit),
            Action::Test(condition, _) => condition.for_each(visit),
            Action::Skip | Action::ForgetMemory | Action::Unset(_) => {}
        }
    }
}
