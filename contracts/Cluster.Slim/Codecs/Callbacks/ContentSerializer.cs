using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Writes and reads objects of an <c>ISerializable</c> class; its serialization constructor builds the object.
/// Immutable.</summary>
internal sealed class ContentSerializer : TypeSerializer
{
    private readonly ContentCodec _codec;
    private readonly TypeCallbacks? _callbacks;

    public ContentSerializer(Type type, SerializerSource source)
        : base(type)
    {
        _codec = new ContentCodec(type, source);
        _callbacks = TypeCallbacks.Find(type);

        // The content may name another type, and objects of that type may stand for other objects.
        IsReplaceable = true;
    }

    public override bool IsWrittenWhole(SlimWriter writer, object value) =>
        _codec.IsReference(writer.Callbacks.ContentOf(value));

    public override void Describe(LayoutBuilder layout)
    {
        layout.Creation.Target();
        ContentCodec.DescribeValues(layout.Body);
    }

    public override void WriteHead(SlimWriter writer, object value)
    {
        _callbacks?.RunSerializing(writer, value);
        if (_callbacks is not null)
            writer.Callbacks.AddWritten(_callbacks, value);
        var content = _codec.ContentOf(writer, value);
        writer.Callbacks.Keep(value, content);
        _codec.WriteTarget(writer, content);
    }

    public override void WriteBody(SlimWriter writer, object value) =>
        _codec.WriteValues(writer, writer.Callbacks.Take(value));

    public override object Create(SlimReader reader) => _codec.ReadTarget(reader).NewShell(reader);

    public override void ReadBody(SlimReader reader, object instance)
    {
        var mark = reader.BeginPart();
        var content = _codec.ReadValues(reader, _codec.RecipeOf(instance.GetType()));
        OwnCompletion.End(reader, mark, this, instance, content);
    }

    public override void Complete(SlimReader reader, object instance, object content) =>
        OwnCompletion.Run(reader, instance, content);
}
