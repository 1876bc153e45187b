using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Runs the callbacks of a type around the type serializer that carries its objects. Immutable.</summary>
internal sealed class CallbackSerializer : TypeSerializer
{
    private readonly TypeSerializer _inner;
    private readonly TypeCallbacks _callbacks;

    public CallbackSerializer(TypeSerializer inner, TypeCallbacks callbacks)
        : base(inner.Type)
    {
        _inner = inner;
        _callbacks = callbacks;
        IsReplaceable = callbacks.IsReference;
        GraphBytes = inner.GraphBytes;
    }

    public override bool IsWrittenWhole(SlimWriter writer, object value) => IsReplaceable;

    public override void Describe(LayoutBuilder layout)
    {
        if (IsReplaceable)
            layout.Creation.Target();
        _inner.Describe(layout);
    }

    public override void WriteHead(SlimWriter writer, object value)
    {
        _callbacks.RunSerializing(writer, value);
        writer.Callbacks.AddWritten(_callbacks, value);
        writer.Doubts.AddCallbacks(_callbacks.ReadRunCount);
        if (IsReplaceable)
            writer.WriteByte((byte)ReplacementFlags.BodyNext);
        _inner.WriteHead(writer, value);
    }

    public override void WriteBody(SlimWriter writer, object value) => _inner.WriteBody(writer, value);

    public override object Create(SlimReader reader)
    {
        if (IsReplaceable && ReplacementFlagsReader.Read(reader) != ReplacementFlags.BodyNext)
            Throw.Malformed($"The mark before a {Type} is not that of an object that stands for another one.");
        var instance = _inner.Create(reader);
        _callbacks.RunDeserializing(reader, instance);
        return instance;
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var mark = reader.BeginPart();
        _inner.ReadBody(reader, instance);
        OwnCompletion.End(reader, mark, this, instance, new SerializedContent(_callbacks));
    }

    public override void Complete(SlimReader reader, object instance, object content) =>
        OwnCompletion.Run(reader, instance, content);
}
