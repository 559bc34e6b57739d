//! Types as declarations spell them.

use lang_c::ast::{self, TypeSpecifier};
use lang_c::span::{Node, Span as RawSpan};
use std::sync::Arc;

use super::{Lowering, Name};
use crate::error::Result;
use crate::program::{FloatKind, IntKind, Length, Qualifiers, Role, Signature, Type, fold};

/// What the specifiers of a declaration say.
pub(super) struct Specified {
    pub(super) ty: Type,
    pub(super) is_typedef: bool,
    pub(super) is_extern: bool,
    pub(super) is_static: bool,
    /// A function that does not return.
    pub(super) is_noreturn: bool,
}

impl Lowering<'_> {
    /// The type that the specifiers of a declaration name.
    pub(super) fn specifiers(
        &mut self,
        specifiers: &[Node<ast::DeclarationSpecifier>],
        span: RawSpan,
    ) -> Result<Specified> {
        let mut specified =
            Specified { ty: Type::Void, is_typedef: false, is_extern: false, is_static: false, is_noreturn: false };
        let mut types = Vec::new();
        let mut attributes = Vec::new();
        let mut qualifiers = Qualifiers::default();
        for specifier in specifiers {
            match &specifier.node {
                ast::DeclarationSpecifier::StorageClass(class) => match class.node {
                    ast::StorageClassSpecifier::Typedef => specified.is_typedef = true,
                    ast::StorageClassSpecifier::Extern => specified.is_extern = true,
                    ast::StorageClassSpecifier::Static => specified.is_static = true,
                    _ => {}
                },
                ast::DeclarationSpecifier::TypeSpecifier(ty) => types.push(ty),
                ast::DeclarationSpecifier::TypeQualifier(qualifier) => qualify(&mut qualifiers, &qualifier.node),
                ast::DeclarationSpecifier::Function(function) => {
                    specified.is_noreturn |= function.node == ast::FunctionSpecifier::Noreturn;
                }
                ast::DeclarationSpecifier::Extension(extensions) => {
                    specified.is_noreturn |= says_noreturn(extensions);
                    attributes.extend(extensions);
                }
                ast::DeclarationSpecifier::Alignment(_) => {}
            }
        }
        let base = self.base_type(&types, span)?;
        self.pack(&base, &types, &attributes);
        specified.ty = base.qualified(qualifiers);
        Ok(specified)
    }

    /// The type of specifiers where no storage class can stand.
    pub(super) fn specifier_type(
        &mut self,
        specifiers: &[Node<ast::SpecifierQualifier>],
        span: RawSpan,
    ) -> Result<Type> {
        let mut types = Vec::new();
        let mut attributes = Vec::new();
        let mut qualifiers = Qualifiers::default();
        for specifier in specifiers {
            match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(ty) => types.push(ty),
                ast::SpecifierQualifier::TypeQualifier(qualifier) => qualify(&mut qualifiers, &qualifier.node),
                ast::SpecifierQualifier::Extension(extensions) => attributes.extend(extensions),
            }
        }
        let base = self.base_type(&types, span)?;
        self.pack(&base, &types, &attributes);
        Ok(base.qualified(qualifiers))
    }

    /// The type of a type name (in a cast or `sizeof`).
    pub(super) fn type_name(&mut self, name: &Node<ast::TypeName>) -> Result<Type> {
        let base = self.specifier_type(&name.node.specifiers, name.span)?;
        match &name.node.declarator {
            Some(declarator) => self.declared_type(base, &declarator.node),
            None => Ok(base),
        }
    }

    /// Attributes of a struct that is defined here change where its members lie.
    fn pack(&mut self, ty: &Type, types: &[&Node<TypeSpecifier>], attributes: &[&Node<ast::Extension>]) {
        let is_definition =
            types.iter().any(|ty| matches!(&ty.node, TypeSpecifier::Struct(s) if s.node.declarations.is_some()));
        let Type::Record(id) = *ty else {
            return;
        };
        for attribute in attributes {
            let ast::Extension::Attribute(attribute) = &attribute.node else {
                continue;
            };
            let number = match attribute.arguments.first() {
                Some(argument) => self.constant(argument).ok().and_then(|number| u64::try_from(number).ok()),
                None => None,
            };
            match (attribute.name.node.trim_matches('_'), number) {
                ("packed", _) if is_definition => self.lay_out_again(id, Some(1), None),
                ("pct_pack", Some(limit)) if is_definition => self.lay_out_again(id, Some(limit), None),
                ("aligned", Some(least)) if is_definition => self.lay_out_again(id, None, Some(least)),
                _ => {}
            }
        }
    }

    fn base_type(&mut self, types: &[&Node<TypeSpecifier>], span: RawSpan) -> Result<Type> {
        let unsupported = |what: &str| Ok(Type::Unsupported(what.to_string()));
        let mut words = Words::default();
        for ty in types {
            match &ty.node {
                TypeSpecifier::Void => return Ok(Type::Void),
                TypeSpecifier::Bool => return Ok(Type::Int(IntKind::Bool)),
                TypeSpecifier::Char => words.char = true,
                TypeSpecifier::Short => words.short = true,
                TypeSpecifier::Int => {}
                TypeSpecifier::Long => words.longs += 1,
                TypeSpecifier::Signed => words.signed = true,
                TypeSpecifier::Unsigned => words.unsigned = true,
                TypeSpecifier::Float => words.float = Some(FloatKind::Float),
                TypeSpecifier::Double => words.float = Some(FloatKind::Double),
                TypeSpecifier::TS18661Float(float) => match (&float.format, float.width) {
                    (ast::TS18661FloatFormat::BinaryInterchange, 32) => words.float = Some(FloatKind::Float),
                    (ast::TS18661FloatFormat::BinaryInterchange, 64)
                    | (ast::TS18661FloatFormat::BinaryExtended, 32) => words.float = Some(FloatKind::Double),
                    // `_Float128` and `_Float64x` are as large as a long double, and as little known.
                    (ast::TS18661FloatFormat::BinaryInterchange, 128)
                    | (ast::TS18661FloatFormat::BinaryExtended, 64) => words.float = Some(FloatKind::LongDouble),
                    _ => return unsupported("a floating-point type of this width"),
                },
                TypeSpecifier::Complex => return unsupported("a complex type"),
                // There is one thread, so atomic is plain.
                TypeSpecifier::Atomic(inner) => return self.type_name(inner),
                TypeSpecifier::Struct(record) => return self.record(record),
                TypeSpecifier::Enum(e) => return self.enumeration(e),
                TypeSpecifier::TypedefName(name) => {
                    return Ok(match self.lookup(&name.node.name) {
                        // The dialect's names for the integers of 128 bits.
                        _ if name.node.name == "__pct_int128" => Type::Unsupported("`__int128`".to_string()),
                        _ if name.node.name == "__pct_uint128" => Type::Unsupported("`unsigned __int128`".to_string()),
                        Some(Name::Typedef(ty)) => ty.clone(),
                        // Its content does not matter: each argument that is taken from it may be anything.
                        _ if name.node.name == "__builtin_va_list" => {
                            Type::Array(Arc::new(Type::Int(IntKind::ULong)), Length::Fixed(3))
                        }
                        _ => Type::Unsupported(format!("the type `{}`", name.node.name)),
                    });
                }
                TypeSpecifier::TypeOf(of) => {
                    return match &of.node {
                        ast::TypeOf::Expression(expression) => self.type_of(expression),
                        ast::TypeOf::Type(name) => self.type_name(name),
                    };
                }
            }
        }
        if types.is_empty() {
            return Err(self.unsupported(
                span,
                "a declaration without a type (implicit int)",
                "write the type, for example `int`",
            ));
        }
        match words.float {
            Some(FloatKind::Double) if words.longs > 0 => Ok(Type::Float(FloatKind::LongDouble)),
            Some(kind) => Ok(Type::Float(kind)),
            None => Ok(Type::Int(words.kind())),
        }
    }

    /// An enumeration: its constants become names, its type is what gcc and clang choose.
    fn enumeration(&mut self, node: &Node<ast::EnumType>) -> Result<Type> {
        let tag = node.node.identifier.as_ref().map(|id| format!("enum {}", id.node.name));
        if node.node.enumerators.is_empty() {
            let tag = tag.unwrap_or_default();
            let known = self.tags.iter().rev().find_map(|scope| scope.get(&tag));
            return Ok(known.cloned().unwrap_or(Type::Int(IntKind::UInt)));
        }
        let mut next = 0;
        let (mut least, mut greatest) = (0, 0);
        // The dialect's way to write `enum E : type`.
        let mut underlying = None;
        for enumerator in node.node.enumerators.iter().filter(|e| is_underlying(e)) {
            if let Some(ast::Expression::SizeOfTy(size)) = enumerator.node.expression.as_deref().map(|e| &e.node) {
                underlying = Some(self.type_name(&size.node.0)?);
            }
        }
        for enumerator in node.node.enumerators.iter().filter(|e| !is_underlying(e)) {
            if let Some(expression) = &enumerator.node.expression {
                next = self.constant(expression)?;
            }
            least = least.min(next);
            greatest = greatest.max(next);
            let kind = if let Some(Type::Int(kind)) = underlying {
                kind
            } else if (IntKind::Int.least()..=IntKind::Int.greatest()).contains(&next) {
                IntKind::Int
            } else {
                IntKind::Long
            };
            let name = &enumerator.node.identifier.node.name;
            self.bind(name, Name::Enumerator(next, kind));
            self.enumerators.push((name.clone(), next, kind));
            next += 1;
        }
        let kind = [IntKind::UInt, IntKind::Int, IntKind::ULong, IntKind::Long]
            .into_iter()
            .find(|kind| kind.least() <= least && greatest <= kind.greatest())
            .unwrap_or(IntKind::Long);
        let ty = underlying.unwrap_or(Type::Int(kind));
        Ok(match tag {
            Some(tag) => self.bind_tag(&tag, ty),
            None => ty,
        })
    }

    /// The type of what a declarator declares, given the type of its specifiers.
    pub(super) fn declared_type(&mut self, base: Type, declarator: &ast::Declarator) -> Result<Type> {
        let mut ty = base;
        // Pointers come first and bind to the base; arrays and functions apply from the last to the first.
        let (pointers, rest): (Vec<_>, Vec<_>) =
            declarator.derived.iter().partition(|d| matches!(d.node, ast::DerivedDeclarator::Pointer(_)));
        for pointer in pointers {
            let mut qualifiers = Qualifiers::default();
            if let ast::DerivedDeclarator::Pointer(words) = &pointer.node {
                for word in words {
                    if let ast::PointerQualifier::TypeQualifier(qualifier) = &word.node {
                        qualify(&mut qualifiers, &qualifier.node);
                    }
                }
            }
            ty = ty.pointer().qualified(qualifiers);
        }
        for derived in rest.into_iter().rev() {
            ty = match &derived.node {
                ast::DerivedDeclarator::Array(array) => {
                    let length = self.array_length(&array.node)?;
                    Type::Array(Arc::new(ty), length)
                }
                ast::DerivedDeclarator::Function(function) => {
                    let (parameters, is_variadic) = self.parameter_types(&function.node)?;
                    Type::Function(Arc::new(Signature { result: ty, parameters: Some(parameters), is_variadic }))
                }
                ast::DerivedDeclarator::KRFunction(_) => {
                    Type::Function(Arc::new(Signature { result: ty, parameters: None, is_variadic: false }))
                }
                ast::DerivedDeclarator::Pointer(_) => ty.pointer(),
                ast::DerivedDeclarator::Block(_) => Type::Unsupported("a block of clang".to_string()),
            };
        }
        match &declarator.kind.node {
            ast::DeclaratorKind::Declarator(inner) => self.declared_type(ty, &inner.node),
            _ => Ok(ty),
        }
    }

    /// The length of an array: a constant, or for a VLA a variable that holds it.
    fn array_length(&mut self, array: &ast::ArrayDeclarator) -> Result<Length> {
        let size = match &array.size {
            ast::ArraySize::VariableExpression(e) | ast::ArraySize::StaticExpression(e) => e,
            _ => return Ok(Length::Unknown),
        };
        // The variables that a prototype names need not exist: a length that cannot be read is unknown.
        let before = self.variables.len();
        let mut steps = Vec::new();
        let Ok(value) = self.pure(size, &mut steps) else {
            self.variables.truncate(before);
            return Ok(Length::Unknown);
        };
        if let Some(length) = fold(&value) {
            return Ok(u64::try_from(length).map_or(Length::Unknown, Length::Fixed));
        }
        if self.lengths.is_none() || value.ty.int_kind().is_none() {
            return Ok(Length::Unknown);
        }
        let name = format!("${}", self.variables.len());
        let variable = self.new_variable(&name, Type::LONG, Role::Local, crate::program::Span::default());
        let place = crate::program::Place::variable(variable, Type::LONG);
        steps.push(crate::program::Step::Assign(place, value.cast(IntKind::Long)));
        self.lengths.as_mut().expect("it was checked").push((variable, steps));
        Ok(Length::Variable(variable))
    }

    fn parameter_types(&mut self, function: &ast::FunctionDeclarator) -> Result<(Vec<Type>, bool)> {
        let mut types = Vec::new();
        for parameter in &function.parameters {
            let specified = self.specifiers(&parameter.node.specifiers, parameter.span)?;
            let ty = match &parameter.node.declarator {
                Some(declarator) => self.declared_type(specified.ty, &declarator.node)?,
                None => specified.ty,
            };
            types.push(as_parameter(ty));
        }
        if types == [Type::Void] {
            types.clear();
        }
        Ok((types, matches!(function.ellipsis, ast::Ellipsis::Some)))
    }

    /// An error if values of the type are not handled.
    pub(super) fn require_handled(&self, ty: &Type, span: RawSpan) -> Result<()> {
        match ty.innermost() {
            Type::Unsupported(what) => Err(self.unsupported(span, what, "")),
            Type::Record(id) if self.records[id.index()].fields.is_none() => {
                Err(self.invalid(span, format!("{} is declared, but not defined", self.words(ty)), ""))
            }
            _ => Ok(()),
        }
    }
}

/// What a parameter of this declared type really is: arrays and functions become pointers.
pub(super) fn as_parameter(ty: Type) -> Type {
    match ty.plain() {
        Type::Array(element, _) => Type::Pointer(Arc::clone(element)),
        Type::Function(_) => ty.plain().clone().pointer(),
        _ => ty,
    }
}

fn qualify(qualifiers: &mut Qualifiers, word: &ast::TypeQualifier) {
    match word {
        ast::TypeQualifier::Const => qualifiers.is_const = true,
        ast::TypeQualifier::Volatile => qualifiers.is_volatile = true,
        _ => {}
    }
}

/// Whether an enumerator is the dialect's mark for the underlying type.
fn is_underlying(enumerator: &Node<ast::Enumerator>) -> bool {
    enumerator.node.identifier.node.name == "__pct_underlying"
}

/// Whether an attribute says that a function does not return.
pub(super) fn says_noreturn(extensions: &[Node<ast::Extension>]) -> bool {
    extensions.iter().any(|extension| match &extension.node {
        ast::Extension::Attribute(attribute) => attribute.name.node.trim_matches('_') == "noreturn",
        _ => false,
    })
}

/// The words of an arithmetic type, in whatever order they came.
#[derive(Default)]
struct Words {
    char: bool,
    short: bool,
    longs: u32,
    signed: bool,
    unsigned: bool,
    float: Option<FloatKind>,
}

impl Words {
    fn kind(&self) -> IntKind {
        let signed = if self.char && self.signed {
            IntKind::SChar
        } else if self.char {
            IntKind::Char
        } else if self.short {
            IntKind::Short
        } else {
            match self.longs {
                0 => IntKind::Int,
                1 => IntKind::Long,
                _ => IntKind::LongLong,
            }
        };
        if self.unsigned { signed.to_unsigned() } else { signed }
    }
}
