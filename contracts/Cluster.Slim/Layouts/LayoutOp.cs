namespace Cluster.Slim.Layouts;

/// <summary>Says what one step of a layout reads from a message. The numbers are part of the format.</summary>
internal enum LayoutOp : byte
{
    /// <summary>A fixed number of bytes; operand: that number.</summary>
    Bytes = 1,

    /// <summary>A place; operand: its declared type.</summary>
    Place = 2,

    /// <summary>A count, then the places of one item, repeated count times; operands: the number of places in an item,
    /// their types.</summary>
    Items = 3,

    /// <summary>0, or 1 and a place; operand: its declared type.</summary>
    Optional = 4,

    /// <summary>Places of one type; operands: their number, the type.</summary>
    Repeat = 5,

    /// <summary>A count that <see cref="Elements"/> uses later.</summary>
    Length = 6,

    /// <summary>The bounds and length of each dimension; <see cref="Elements"/> uses the product of the lengths.
    /// Operand: the number of dimensions.</summary>
    Dimensions = 7,

    /// <summary>Places of one type; the creation part has given their number. Operand: the type.</summary>
    Elements = 8,

    /// <summary>The code of a comparer, and the bytes that the code demands.</summary>
    Comparer = 9,

    /// <summary>A place; if its object is not null, an offset and a count follow. Operand: the type.</summary>
    Segment = 10,

    /// <summary>The length of an address in a byte, the address, and its scope if it has one.</summary>
    Address = 11,

    /// <summary>A type reference.</summary>
    TypeReference = 12,

    /// <summary>A number of bits, then the bytes that hold these bits.</summary>
    Bits = 13,

    /// <summary>The fields of the type, in order.</summary>
    Fields = 14,

    /// <summary>The bytes of a user's codec; operand: its version. Only the codec knows where they end.</summary>
    Codec = 15,

    /// <summary>A byte with flags. 1: a type reference follows, the real type of the object. 2: the body follows the
    /// creation part at any depth.</summary>
    Target = 16,
}
