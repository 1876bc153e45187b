namespace Cluster.Slim.Fields.Fixed;

/// <summary>A place of a simple value, seen as one column of a sequence of structs: its values lie one stride apart, in
/// the message as in memory.</summary>
internal interface ISimpleFieldSerializer : IFixedFieldSerializer
{
    FixedForm Form { get; }

    /// <summary>The static method that writes a value at an address, for emitted code.</summary>
    MethodInfo PutMethod { get; }

    /// <summary>The static method that reads a value at an address, for emitted code.</summary>
    MethodInfo GetMethod { get; }

    /// <summary>A value whose first byte in memory is not zero; it need not be valid.</summary>
    object NewProbe();

    /// <summary>Writes values from memory into the message.</summary>
    void PutColumn(ref byte target, int targetStride, ref byte source, int sourceStride, int count);

    /// <summary>Reads values from the message into memory.</summary>
    void GetColumn(ref byte target, int targetStride, ref byte source, int sourceStride, int count);

    /// <summary>Whether the copied bytes of a column equal the bytes that writing its values gives.</summary>
    bool IsNormal(ref byte source, int sourceStride, int count);

    /// <summary>Refuses bit patterns that are no values.</summary>
    void CheckColumn(ref byte source, int sourceStride, int count);
}
