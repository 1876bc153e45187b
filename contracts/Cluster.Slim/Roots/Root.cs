using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Graph;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;

namespace Cluster.Slim.Roots;

/// <summary>Writes and reads the roots of one declared type, always with their type. The untyped part.</summary>
internal abstract class Root(AllowSet allowed)
{
    public AllowSet Allowed { get; } = allowed;

    /// <summary>The address of the runtime's description of the declared type. Only compared; the list keeps the type
    /// loaded.</summary>
    public nint Address { get; } = allowed.Root.TypeHandle.Value;

    /// <summary>The first bytes of messages whose root is exactly of the declared type; null before the first one, and
    /// for value types. Racy, but equal.</summary>
    public RootLead? Lead { get; set; }

    /// <summary>Writes the value in a place of the declared type. Not generic, so that all types share one compiled
    /// method, which need not be looked up for each: half a ns less per message.</summary>
    public abstract void Write(SlimWriter writer, ref byte place);

    /// <summary>The value in a place of the declared type, boxed if it is a struct.</summary>
    public abstract object? ObjectAt(ref byte place);

    public abstract void WriteObject(SlimWriter writer, object? value);

    public abstract object? ReadObject(SlimReader reader);
}

/// <summary>Writes and reads the roots of one declared type. Immutable; cached by the serializer.</summary>
/// <typeparam name="T">The declared type.</typeparam>
internal abstract class Root<T>(AllowSet allowed) : Root(allowed)
{
    public abstract void Write(SlimWriter writer, T value);

    public abstract T Read(SlimReader reader);

    public override void Write(SlimWriter writer, ref byte place) => Write(writer, Unsafe.As<byte, T>(ref place));

    public override object? ObjectAt(ref byte place) => Unsafe.As<byte, T>(ref place);

    public override void WriteObject(SlimWriter writer, object? value)
    {
        if (value is null)
            writer.WriteByte(ObjectTags.Null);
        else if (Allowed.IsRootExternal)
            HostReferenceSerializer.Write(writer, typeof(T), value);
        else
            writer.WriteTyped(value);
    }

    private object ReadReplaceable(SlimReader reader, TypeSerializer serializer)
    {
        var value = HostImports.Read(reader, serializer, Allowed.IsRootExternal ? typeof(T) : null);
        if (value is not T)
            Throw.Malformed($"The root is a {value.GetType()}, not a {typeof(T)}.");
        return value;
    }

    public override object? ReadObject(SlimReader reader)
    {
        var head = reader.ReadVar();
        switch (head)
        {
            case ObjectTags.Null:
                return null;
            case ObjectTags.NewExact:
                Throw.Malformed("A root stands without its type.");
                return null;
            case ObjectTags.NewTyped:
                var serializer = reader.ReadType();
                if (serializer.IsReplaceable)
                    return ReadReplaceable(reader, serializer);
                if (!typeof(T).IsAssignableFrom(serializer.Type)
                    && Nullable.GetUnderlyingType(typeof(T)) != serializer.Type)
                    Throw.Malformed($"The root is a {serializer.Type}, not a {typeof(T)}.");
                return reader.ReadNew(serializer);
            default:
                var known = reader.ReadReference(head);
                if (known is not T)
                    Throw.Malformed($"A reference points to an object that is not a {typeof(T)}.");
                return known;
        }
    }
}
