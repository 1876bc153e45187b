using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Fields;

/// <summary>Writes and reads references to objects of the host. The message holds the host's number for the object; the
/// reference has a handle, so the object keeps its identity within the message. Slim never looks into the object that
/// the host gives back. Stateless.</summary>
internal sealed class HostReferenceSerializer : TypeSerializer
{
    // A guess of the memory that the host needs to remember one object; the bytes of the message do not tell it.
    private const int ObjectBytes = 256;

    public HostReferenceSerializer()
        : base(typeof(HostReference)) => IsReplaceable = true;

    public override bool HasBody => false;

    /// <summary>Writes a reference to an object that stands in a place of an external interface.</summary>
    public static void Write(SlimWriter writer, Type declared, object value)
    {
        // A traced write only searches for the member that failed: the host has got the object before.
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
