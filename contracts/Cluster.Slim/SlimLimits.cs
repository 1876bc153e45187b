namespace Cluster.Slim;

/// <summary>What one message may cost. Crossing a limit is a <see cref="SlimLimitException"/> naming it.</summary>
public sealed class SlimLimits
{
    /// <summary>The size of one message, written or read.</summary>
    /// <value>64 MiB.</value>
    public int MaxMessageBytes { get; set; } = 64 * 1024 * 1024;

    /// <summary>The memory of the graph a read builds, charged before each allocation.</summary>
    /// <value>128 MiB.</value>
    public long MaxGraphBytes { get; set; } = 128L * 1024 * 1024;

    /// <summary>The length of one string in characters.</summary>
    /// <value>16 Mi characters.</value>
    public int MaxStringLength { get; set; } = 16 * 1024 * 1024;

    /// <summary>The distinct types that one message, or all messages of one session, may describe.</summary>
    /// <value>4,096.</value>
    public int MaxTypeCount { get; set; } = 4096;

    /// <summary>The bytes of all type descriptions of one message, or of all messages of one session.</summary>
    /// <value>1 MiB.</value>
    public int MaxTypeBytes { get; set; } = 1024 * 1024;

    /// <summary>The runs of serialization callbacks, constructors and content methods of types that opted in, for one
    /// message.</summary>
    /// <value>1,048,576.</value>
    public int MaxCallbackCount { get; set; } = 1024 * 1024;

    /// <summary>How deep a key may be nested whose own code hashes or compares it: that code calls itself for each
    /// level, so a deep key would overflow the stack. Writers refuse deeper keys, too.</summary>
    /// <value>256 levels.</value>
    public int MaxKeyDepth { get; set; } = 256;

    /// <summary>How much hashing and comparing the keys of one message may cost, in steps of about a nanosecond for
    /// each byte of the message. A comparison of two hash codes or of two cookies is 2 steps, each part of a key that
    /// its own code hashes is 8, two of its characters are 1, and looking for cycles takes 64 for each object. Each
    /// message has 65,536 steps more. Writers refuse what readers of the same options would refuse. Use
    /// <see cref="int.MaxValue"/> for bytes that nobody else can have written.</summary>
    /// <value>256.</value>
    public int MaxKeyWorkPerByte { get; set; } = 256;

    /// <summary>The entries of a collection that is searched from its start: <c>ExpandoObject</c>,
    /// <c>ListDictionary</c>, <c>CookieCollection</c> and the data of exceptions. Each entry costs as much as there are
    /// entries before it.</summary>
    /// <value>1,024.</value>
    public int MaxSearchedEntries { get; set; } = 1024;

    /// <summary>How deep values of JSON may lie in values, and elements of XML in elements. The framework walks through
    /// them by recursion. Writers refuse deeper documents, too.</summary>
    /// <value>256 levels; 1 to 1,000.</value>
    public int MaxDocumentDepth { get; set; } = 256;

    /// <summary>The deepest document that the framework prints.</summary>
    internal const int DocumentDepthMost = 1000;

    internal SlimLimits Freeze()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxKeyDepth, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDocumentDepth, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxDocumentDepth, DocumentDepthMost);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxKeyWorkPerByte, 0);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxSearchedEntries, 0);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxCallbackCount, 0);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxMessageBytes, 16);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxGraphBytes, 0);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxStringLength, 0);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxTypeCount, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxTypeBytes, 0);
        return (SlimLimits)MemberwiseClone();
    }
}
