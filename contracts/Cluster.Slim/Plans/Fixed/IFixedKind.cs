namespace Cluster.Slim.Plans;

/// <summary>How values of a type with a fixed number of bytes are put into and taken out of a message.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
internal interface IFixedKind<T>
{
    /// <summary>The number of bytes.</summary>
    static abstract int Bytes { get; }

    /// <summary>Whether every bit pattern is a valid value, so that arrays may be copied as one block.</summary>
    static abstract bool IsRaw { get; }

    static abstract void Put(ref byte target, T value);

    static abstract T Get(ref byte source);
}
