namespace Cluster.Slim.Fields.Fixed;

/// <summary>Writes and reads values of a type with a fixed number of bytes.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
internal interface IFixedKind<T>
{
    /// <summary>The number of bytes in a message.</summary>
    static abstract int Bytes { get; }

    /// <summary>Whether sequences may be copied as one block. In all forms but Converted a value has the same number of
    /// bytes in memory.</summary>
    static abstract FixedForm Form { get; }

    static abstract void Put(ref byte target, T value);

    static abstract T Get(ref byte source);

    /// <summary>Whether a column contains only valid values, found without a branch for each. False: an invalid value
    /// is there, or the kind does not check columns.</summary>
    static virtual bool AreValues(ref byte source, int stride, int count) => false;
}
