using Cluster.Slim.Layouts;

namespace Cluster.Slim.Messages;

/// <summary>A type as a message described it, and what it was found to be under the list that asked last.</summary>
internal sealed class DescribedType(ulong fingerprint, byte[]? text)
{
    public const int FingerprintBytes = 8;

    private AdmittedTypes? _foundIn;
    private TypeSerializer? _serializer;
    private TypeLayout? _layout;

    public ulong Fingerprint => fingerprint;

    /// <summary>The description, or null when the message has the fingerprint alone.</summary>
    public byte[]? Text => text;

    /// <summary>Where the description stands in the message, so that a reader that passes it twice knows it.</summary>
    public int Start { get; init; } = -1;

    /// <summary>Where the description ends.</summary>
    public int End { get; init; }

    /// <summary>The serializer of the type, after checking that the list admits it.</summary>
    public TypeSerializer Find(AdmittedTypes allowed, SlimReader? reader)
    {
        Enter(allowed);
        return _serializer ??= allowed.SerializerOf(this, reader);
    }

    /// <summary>How values of the type lie in the message, whether or not the list admits it.</summary>
    public TypeLayout FindLayout(AdmittedTypes allowed, SlimReader? reader)
    {
        Enter(allowed);
        return _layout ??= allowed.LayoutOf(this, reader);
    }

    private void Enter(AdmittedTypes allowed)
    {
        if (ReferenceEquals(_foundIn, allowed))
            return;
        _serializer = null;
        _layout = null;
        _foundIn = allowed;
    }
}
