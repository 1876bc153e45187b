using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Fields;

/// <summary>An object of the host: a number on the wire, with a handle like any object, so that it keeps its identity
/// within the message. What comes out is the host's, and nothing here ever looks into it. Stateless.</summary>
internal sealed class HostReferenceSerializer : TypeSerializer
{
    // What a host needs to remember one; it is not made of the message's bytes.
    private const int ObjectBytes = 256;

    public HostReferenceSerializer()
        : base(typeof(HostReference)) => IsReplaceable = true;

    public override bool HasBody => false;

    /// <summary>Writes what stands in a place of an external interface.</summary>
    public static void Write(SlimWriter writer, Type declared, object value)
    {
        // A repeated write only looks for the member that failed; the host is not asked again.
        if (writer.Trace is { } trace)
        {
            if (ReferenceEquals(trace.Failure?.Culprit, value))
                throw trace.Failure!;
            writer.WriteByte(ObjectTags.Null);
            return;
        }

        if (writer.TryWriteReference(value))
            return;
        if (writer.Depth >= ObjectTags.HeadDepthMax)
            ObjectTags.ThrowTooDeep(declared);
        var references = writer.References ?? throw Throw.NoHost(declared, value);
        writer.WriteTypedHead(writer.SerializerOf(typeof(HostReference)));
        writer.WriteRaw(references.Export(declared, value));
    }

    public override void Describe(LayoutBuilder layout) => layout.Creation.Bytes(sizeof(int));

    public override object Create(SlimReader reader)
    {
        reader.ExpectBody();
        var number = reader.ReadRaw<int>();
        reader.Charge(ObjectBytes);
        var imports = reader.Imports;
        if (imports?.Place is not { } place)
        {
            Throw.Malformed("A reference to an object of the host stands where none can be.");
            return null!;
        }

        var value = imports.References.Import(place, number);
        reader.Completions.Substitutions.AddForeign(value);
        return value;
    }
}
