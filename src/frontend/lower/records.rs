//! Structs and unions: their members, and where these lie (System V ABI for x86-64, as gcc and clang lay them out).

use lang_c::ast;
use lang_c::span::Node;

use super::Lowering;
use super::declarations::declared_name;
use crate::error::Result;
use crate::program::{Field, Projection, Record, RecordId, Type, size_of};

impl Lowering<'_> {
    /// The type that `struct …` or `union …` names, declared or defined here.
    pub(super) fn record(&mut self, node: &Node<ast::StructType>) -> Result<Type> {
        let is_union = node.node.kind.node == ast::StructKind::Union;
        let word = if is_union { "union" } else { "struct" };
        let tag = node.node.identifier.as_ref().map(|id| format!("{word} {}", id.node.name));
        let Some(declarations) = &node.node.declarations else {
            let tag = tag.unwrap_or_else(|| word.to_string());
            if let Some(known) = self.tags.iter().rev().find_map(|scope| scope.get(&tag)) {
                return Ok(known.clone());
            }
            let id = self.new_record(&tag, is_union);
            return Ok(self.bind_tag(&tag, Type::Record(id)));
        };
        let id = match &tag {
            None => self.new_record(&format!("a {word} without a tag"), is_union),
            Some(tag) => {
                // A definition completes a declaration of the same scope.
                let declared = self.tags.last().and_then(|scope| scope.get(tag)).cloned();
                match declared {
                    Some(Type::Record(id)) if self.records[id.index()].fields.is_none() => id,
                    _ => {
                        let id = self.new_record(tag, is_union);
                        self.bind_tag(tag, Type::Record(id));
                        id
                    }
                }
            }
        };
        let members = self.members(declarations)?;
        self.lay_out(id, members, u64::MAX);
        Ok(Type::Record(id))
    }

    pub(super) fn bind_tag(&mut self, tag: &str, ty: Type) -> Type {
        let scope = self.tags.last_mut().expect("file scope is always there");
        scope.insert(tag.to_string(), ty.clone());
        ty
    }

    fn new_record(&mut self, name: &str, is_union: bool) -> RecordId {
        self.records.push(Record { name: name.to_string(), is_union, fields: None, size: 0, align: 1 });
        RecordId(self.records.len() as u32 - 1)
    }

    /// Name, type and width (of a bit-field) of each member.
    fn members(&mut self, declarations: &[Node<ast::StructDeclaration>]) -> Result<Vec<Member>> {
        let mut members = Vec::new();
        for declaration in declarations {
            let ast::StructDeclaration::Field(field) = &declaration.node else {
                continue;
            };
            let base = self.specifier_type(&field.node.specifiers, field.span)?;
            if field.node.declarators.is_empty() {
                if let Type::Record(_) = base.plain() {
                    members.push(Member { name: String::new(), ty: base, width: None, align: 1 });
                }
                continue;
            }
            for declarator in &field.node.declarators {
                let width = match &declarator.node.bit_width {
                    Some(width) => Some(u32::try_from(self.constant(width)?).unwrap_or(0)),
                    None => None,
                };
                let (name, ty) = match &declarator.node.declarator {
                    Some(declarator) => (
                        declared_name(&declarator.node).unwrap_or_default().to_string(),
                        self.declared_type(base.clone(), &declarator.node)?,
                    ),
                    None => (String::new(), base.clone()),
                };
                let align = match &declarator.node.declarator {
                    Some(declarator) => self.wanted_alignment(&declarator.node.extensions),
                    None => 1,
                };
                members.push(Member { name, ty, width, align });
            }
        }
        Ok(members)
    }

    /// What `__attribute__((aligned(n)))` asks for.
    fn wanted_alignment(&mut self, extensions: &[Node<ast::Extension>]) -> u64 {
        let mut align = 1;
        for extension in extensions {
            if let ast::Extension::Attribute(attribute) = &extension.node
                && attribute.name.node.trim_matches('_') == "aligned"
            {
                let wanted = match attribute.arguments.first() {
                    // What cannot be read asks for nothing.
                    Some(argument) => self.constant(argument).ok().and_then(|n| u64::try_from(n).ok()).unwrap_or(1),
                    None => 16,
                };
                align = align.max(wanted);
            }
        }
        align
    }

    /// Lays a struct out again: no member is aligned to more than `limit`, the whole at least to `least`.
    pub(super) fn lay_out_again(&mut self, id: RecordId, limit: Option<u64>, least: Option<u64>) {
        let Some(fields) = self.records[id.index()].fields.clone() else {
            return;
        };
        if let Some(limit) = limit {
            let members = fields.into_iter().map(|field| Member {
                name: field.name,
                ty: field.ty,
                width: field.bits.map(|(_, width)| width),
                align: 1,
            });
            self.lay_out(id, members.collect(), limit);
        }
        if let Some(least) = least {
            let record = &mut self.records[id.index()];
            record.align = record.align.max(least);
            record.size = round_up(record.size, record.align);
        }
    }

    fn lay_out(&mut self, id: RecordId, members: Vec<Member>, limit: u64) {
        let is_union = self.records[id.index()].is_union;
        let mut fields = Vec::new();
        // Where the next member begins, in bits.
        let mut next: u64 = 0;
        let (mut end, mut align) = (0u64, 1u64);
        for Member { name, ty, width, align: least } in members {
            let (size, own_align) = size_of(&self.records, &ty).unwrap_or((0, self.alignment_of(&ty)));
            let own_align = own_align.min(limit).max(least);
            let start = if is_union { 0 } else { next };
            let field = match width {
                Some(0) => {
                    next = round_up(next, own_align * 8);
                    continue;
                }
                Some(width) => {
                    let unit = (size * 8).max(8);
                    // A bit-field does not cross a storage unit of its type.
                    let crosses = limit > 1 && start / unit != (start + u64::from(width) - 1) / unit;
                    let start = if crosses { round_up(start, unit) } else { start };
                    next = start + u64::from(width);
                    let unit = if limit > 1 { unit } else { 8 };
                    let offset = start / unit * (unit / 8);
                    let bits = Some(((start % unit) as u32, width));
                    Field { name: name.clone(), ty, offset, bits }
                }
                None => {
                    let start = round_up(start, own_align * 8);
                    next = start + size * 8;
                    Field { name: name.clone(), ty, offset: start / 8, bits: None }
                }
            };
            end = end.max(next);
            align = align.max(own_align);
            // An unnamed bit-field is only room.
            if !name.is_empty() || width.is_none() {
                fields.push(field);
            }
        }
        let record = &mut self.records[id.index()];
        record.size = round_up(end, align * 8) / 8;
        record.align = align;
        record.fields = Some(fields);
    }

    /// The alignment of what has no size of its own: a flexible array has that of its elements.
    fn alignment_of(&self, ty: &Type) -> u64 {
        size_of(&self.records, ty.innermost()).map_or(1, |(_, align)| align)
    }

    /// The way to a member, through anonymous structs and unions, and its type.
    pub(super) fn member(&self, record: RecordId, name: &str) -> Option<(Vec<Projection>, Field)> {
        let fields = self.records[record.index()].fields.as_ref()?;
        for (index, field) in fields.iter().enumerate() {
            let step = Projection::Field(index as u32);
            if field.name == name {
                return Some((vec![step], field.clone()));
            }
            if field.name.is_empty()
                && let Type::Record(inner) = field.ty.plain()
                && let Some((path, found)) = self.member(*inner, name)
            {
                return Some((std::iter::once(step).chain(path).collect(), found));
            }
        }
        None
    }
}

/// A member as it is declared.
struct Member {
    name: String,
    ty: Type,
    /// Of a bit-field.
    width: Option<u32>,
    /// The least alignment that is asked for.
    align: u64,
}

fn round_up(value: u64, unit: u64) -> u64 {
    value.div_ceil(unit.max(1)) * unit.max(1)
}
