using Cluster.Slim.Errors;
using Cluster.Slim.Types;

namespace Cluster.Slim.Messages;

/// <summary>The parts of a serializer that readers and writers of messages use: its frozen options, and its
/// descriptions of types. Immutable except for caches; safe for many threads.</summary>
internal abstract class SerializerContext(SlimLimits limits, TypeRules rules, SlimSchema schema)
{
    public SlimLimits Limits { get; } = limits;

    public TypeRules Rules { get; } = rules;

    public SlimSchema Schema { get; } = schema;

    /// <summary>The fingerprint of the layout of a type.</summary>
    public abstract ulong FingerprintOf(Type type);

    /// <summary>The description of the type that belongs to its fingerprint.</summary>
    public abstract byte[] Describe(Type type);

    /// <summary>Writes an object with all objects that it reaches, as the root of a message of the types that the
    /// writer admits.</summary>
    public abstract void WriteRoot(SlimWriter writer, object value);

    public void CheckMessageBytes(long bytes)
    {
        if (bytes > Limits.MaxMessageBytes)
            Throw.Limit(nameof(SlimLimits.MaxMessageBytes), Limits.MaxMessageBytes, bytes);
    }
}
