namespace Cluster.Slim;

/// <summary>Writer and reader know the type, but with different fields.</summary>
public sealed class SlimLayoutException : SlimException
{
    internal SlimLayoutException(string message)
        : base(message)
    {
    }

    /// <summary>The name of the type concerned.</summary>
    public string TypeName { get; internal init; } = "";

    /// <summary>The layout fingerprint that no type of the closed list has: the type is missing there, or has other
    /// fields. Null for all other causes.</summary>
    public ulong? UnknownFingerprint { get; internal init; }

    /// <summary>The fingerprint of the description of the writer that could not be read into the types of the reader.
    /// Null for all other causes.</summary>
    public ulong? WrittenFingerprint { get; internal set; }
}
