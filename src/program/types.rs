//! The types of C, with the widths and the layout of LP64 (as gcc and clang have them on x86-64 Linux).

use std::fmt;
use std::sync::Arc;

use super::{Program, VarId};

/// An integer type. An enumeration is represented by its underlying type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntKind {
    /// `_Bool`: the values 0 and 1.
    Bool,
    /// `char`, signed here.
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned int`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
}

impl IntKind {
    /// How many bits carry the value. `_Bool` has one: so each of its bit patterns is a value.
    pub fn width(self) -> u32 {
        match self {
            IntKind::Bool => 1,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong | IntKind::LongLong | IntKind::ULongLong => 64,
        }
    }

    /// Its `sizeof`.
    pub fn size(self) -> u64 {
        u64::from(self.width().div_ceil(8))
    }

    /// Whether negative values exist.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            IntKind::Char | IntKind::SChar | IntKind::Short | IntKind::Int | IntKind::Long | IntKind::LongLong
        )
    }

    /// The conversion rank of C11 6.3.1.1.
    pub fn rank(self) -> u32 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            unsigned => unsigned,
        }
    }

    /// The integer promotion of C11 6.3.1.1: what is smaller than `int` becomes `int`.
    pub fn promoted(self) -> IntKind {
        if self.rank() < IntKind::Int.rank() { IntKind::Int } else { self }
    }

    /// The common type of the usual arithmetic conversions, C11 6.3.1.8.
    pub fn common(self, other: IntKind) -> IntKind {
        let (a, b) = (self.promoted(), other.promoted());
        if a == b {
            return a;
        }
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.width() > unsigned.width() {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// The least value.
    pub fn least(self) -> i128 {
        if self.is_signed() { -(1i128 << (self.width() - 1)) } else { 0 }
    }

    /// The greatest value.
    pub fn greatest(self) -> i128 {
        let value_bits = self.width() - u32::from(self.is_signed());
        (1i128 << value_bits) - 1
    }

    /// The value that conversion to this type gives (C11 6.3.1.2, 6.3.1.3; out of range signed values wrap, as gcc
    /// and clang define it).
    pub fn wrap(self, value: i128) -> i128 {
        if self == IntKind::Bool {
            return i128::from(value != 0);
        }
        let modulus = 1i128 << self.width();
        let low = value.rem_euclid(modulus);
        if self.is_signed() && low > self.greatest() { low - modulus } else { low }
    }

    /// How C writes it.
    pub fn c_name(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
        }
    }
}

/// A floating-point type: IEEE 754 single and double, and one of which only the size is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`, whose format depends on the machine: each value of it may be anything, and none is guaranteed.
    LongDouble,
}

impl FloatKind {
    /// How many bits a value has.
    pub fn width(self) -> u32 {
        match self {
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::LongDouble => 128,
        }
    }

    /// How C writes it.
    pub fn c_name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
        }
    }
}

/// Index of a [`Record`] in [`Program::records`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub u32);

impl RecordId {
    /// The position in [`Program::records`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A type of C.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// An integer.
    Int(IntKind),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer.
    Pointer(Arc<Type>),
    /// An array.
    Array(Arc<Type>, Length),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function(Arc<Signature>),
    /// A qualified type.
    Qualified(Qualifiers, Arc<Type>),
    /// What pct does not handle, in words; an error only where a value of it is needed.
    Unsupported(String),
}

/// How many elements an array has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Length {
    /// So many.
    Fixed(u64),
    /// As many as this variable says (a VLA); it has the type `long`.
    Variable(VarId),
    /// Not said.
    Unknown,
}

/// `const` and `volatile`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Qualifiers {
    /// It is not written through this name.
    pub is_const: bool,
    /// Each read gives any value.
    pub is_volatile: bool,
}

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Signature {
    /// The type of the result.
    pub result: Type,
    /// The types of the parameters; `None` if they are not declared.
    pub parameters: Option<Vec<Type>>,
    /// Whether further arguments may follow.
    pub is_variadic: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// `struct tag`, `union tag`, or words for one without a tag.
    pub name: String,
    /// All members begin at the same place.
    pub is_union: bool,
    /// The members; `None` as long as it is only declared.
    pub fields: Option<Vec<Field>>,
    /// Its `sizeof`.
    pub size: u64,
    /// Its alignment.
    pub align: u64,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The name; empty for an anonymous struct or union.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// For a bit-field: its first bit, counted from `offset`, and its width.
    pub bits: Option<(u32, u32)>,
}

impl Type {
    /// `int`
    pub const INT: Type = Type::Int(IntKind::Int);
    /// `long`
    pub const LONG: Type = Type::Int(IntKind::Long);

    /// A pointer to this type.
    pub fn pointer(self) -> Type {
        Type::Pointer(Arc::new(self))
    }

    /// The type without `const` and `volatile`.
    pub fn plain(&self) -> &Type {
        match self {
            Type::Qualified(_, inner) => inner.plain(),
            other => other,
        }
    }

    /// The qualifiers, of an array those of its elements.
    pub fn qualifiers(&self) -> Qualifiers {
        match self {
            Type::Qualified(own, inner) => {
                let inner = inner.qualifiers();
                Qualifiers {
                    is_const: own.is_const || inner.is_const,
                    is_volatile: own.is_volatile || inner.is_volatile,
                }
            }
            Type::Array(element, _) => element.qualifiers(),
            _ => Qualifiers::default(),
        }
    }

    /// The type with further qualifiers.
    pub fn qualified(self, qualifiers: Qualifiers) -> Type {
        if qualifiers == Qualifiers::default() { self } else { Type::Qualified(qualifiers, Arc::new(self)) }
    }

    /// The type of the innermost elements of an array; the type itself if it is none.
    pub fn innermost(&self) -> &Type {
        match self.plain() {
            Type::Array(element, _) => element.innermost(),
            other => other,
        }
    }

    /// The kind of an integer type.
    pub fn int_kind(&self) -> Option<IntKind> {
        match self.plain() {
            Type::Int(kind) => Some(*kind),
            _ => None,
        }
    }

    /// The kind of a floating-point type.
    pub fn float_kind(&self) -> Option<FloatKind> {
        match self.plain() {
            Type::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self) -> Option<&Type> {
        match self.plain() {
            Type::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// Whether values of it are single numbers or addresses.
    pub fn is_scalar(&self) -> bool {
        matches!(self.plain(), Type::Int(_) | Type::Float(_) | Type::Pointer(_))
    }

    /// Whether it is a number.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self.plain(), Type::Int(_) | Type::Float(_))
    }

    /// Whether two types are the same but for qualifiers.
    pub fn is_like(&self, other: &Type) -> bool {
        match (self.plain(), other.plain()) {
            (Type::Pointer(a), Type::Pointer(b)) => a.is_like(b),
            (Type::Array(a, _), Type::Array(b, _)) => a.is_like(b),
            (a, b) => a == b,
        }
    }

    /// How C names it, with the names of records.
    pub fn display<'a>(&'a self, records: &'a [Record]) -> impl fmt::Display + 'a {
        DisplayType { ty: self, records }
    }
}

struct DisplayType<'a> {
    ty: &'a Type,
    records: &'a [Record],
}

impl fmt::Display for DisplayType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |ty| DisplayType { ty, records: self.records };
        match self.ty {
            Type::Void => write!(f, "void"),
            Type::Int(kind) => write!(f, "{}", kind.c_name()),
            Type::Float(kind) => write!(f, "{}", kind.c_name()),
            Type::Pointer(target) => write!(f, "a pointer to {}", inner(target)),
            Type::Array(element, _) => write!(f, "an array of {}", inner(element)),
            Type::Record(id) => write!(f, "{}", self.records[id.index()].name),
            Type::Function(_) => write!(f, "a function"),
            Type::Qualified(_, plain) => inner(plain).fmt(f),
            Type::Unsupported(what) => write!(f, "{what}"),
        }
    }
}

/// `sizeof` and alignment of a type; `None` for what has no size, or one that only a run knows.
pub fn size_of(records: &[Record], ty: &Type) -> Option<(u64, u64)> {
    match ty.plain() {
        Type::Int(kind) => Some((kind.size(), kind.size())),
        Type::Float(kind) => Some((u64::from(kind.width() / 8), u64::from(kind.width() / 8))),
        Type::Pointer(_) => Some((8, 8)),
        Type::Array(element, Length::Fixed(count)) => {
            let (size, align) = size_of(records, element)?;
            Some((size.checked_mul(*count)?, align))
        }
        Type::Record(id) => {
            let record = &records[id.index()];
            record.fields.as_ref().map(|_| (record.size, record.align))
        }
        // GNU C: one byte, so that arithmetic on `void *` counts bytes.
        Type::Void | Type::Function(_) => Some((1, 1)),
        _ => None,
    }
}

impl Program {
    /// The members of a complete record.
    pub fn fields(&self, id: RecordId) -> &[Field] {
        self.records[id.index()].fields.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::IntKind::*;

    #[test]
    fn common_type_follows_the_standard() {
        for (a, b, common) in [
            (Char, UChar, Int),
            (UShort, Short, Int),
            (Int, UInt, UInt),
            (UInt, Long, Long),
            (ULong, LongLong, ULongLong),
            (Bool, Bool, Int),
            (Long, UChar, Long),
        ] {
            assert_eq!(a.common(b), common, "{a:?} {b:?}");
            assert_eq!(b.common(a), common, "{b:?} {a:?}");
        }
    }

    #[test]
    fn conversion_wraps_like_gcc() {
        for (kind, value, wrapped) in
            [(UChar, -1, 255), (SChar, 200, -56), (Bool, 256, 1), (Int, 1 << 31, -(1 << 31)), (UInt, -1, (1 << 32) - 1)]
        {
            assert_eq!(kind.wrap(value), wrapped, "{kind:?} {value}");
        }
    }
}
