namespace Cluster.Slim.Fields.Fixed;

/// <summary>How values of a type with a fixed number of bytes are put into and taken out of a message.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
internal interface IFixedKind<T>
{
    /// <summary>The number of bytes in a message.</summary>
    static abstract int Bytes { get; }

    /// <summary>Whether sequences may be copied as one block; all forms but converted promise that memory holds as many
    /// bytes.</summary>
    static abstract FixedForm Form { get; }

    static abstract void Put(ref byte target, T value);

    static abstract T Get(ref byte source);

    /// <summary>Whether a column holds nothing but values, found without a branch for each; false may also mean that
    /// this is not known.</summary>
    static virtual bool AreValues(ref byte source, int stride, int count) => false;
}
