using Cluster.Slim.Layouts;

namespace Cluster.Slim.Messages;

/// <summary>A type in the form in which a message described it, and the serializer that the latest asking list found
/// for it.</summary>
internal sealed class DescribedType(ulong fingerprint, byte[]? text)
{
    public const int FingerprintBytes = 8;

    private AdmittedTypes? _foundIn;
    private TypeSerializer? _serializer;
    private TypeLayout? _layout;

    public ulong Fingerprint => fingerprint;

    /// <summary>The description, or null when the message has only the fingerprint.</summary>
    public byte[]? Text => text;

    /// <summary>The offset of the description in the message, so that a reader that passes it twice recognises
    /// it.</summary>
    public int Start { get; init; } = -1;

    /// <summary>The offset after the description.</summary>
    public int End { get; init; }

    /// <summary>The serializer of the type, after a check that the list admits it.</summary>
    public TypeSerializer Find(AdmittedTypes allowed, SlimReader? reader)
    {
        Enter(allowed);
        return _serializer ??= allowed.SerializerOf(this, reader);
    }

    /// <summary>The layout of the type in the message, whether or not the list admits it.</summary>
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
