using Cluster.Slim.Graph;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>An object that travels like others of its kind, but whose type has callbacks.</summary>
internal sealed class CallbackPlan : ObjectPlan
{
    private readonly ObjectPlan _inner;
    private readonly TypeCallbacks _callbacks;

    internal CallbackPlan(ObjectPlan inner, TypeCallbacks callbacks)
        : base(inner.Type)
    {
        _inner = inner;
        _callbacks = callbacks;
        IsReplaceable = callbacks.IsReference;
        GraphBytes = inner.GraphBytes;
    }

    internal override bool IsWrittenWhole(SlimWriter writer, object value) => IsReplaceable;

    internal override void Describe(LayoutBuilder layout)
    {
        if (IsReplaceable)
            layout.Creation.Target();
        _inner.Describe(layout);
    }

    internal override void WriteHead(SlimWriter writer, object value)
    {
        _callbacks.RunSerializing(writer, value);
        writer.Callbacks.AddWritten(_callbacks, value);
        writer.Doubts.AddCallbacks(_callbacks.ReadRunCount);
        if (IsReplaceable)
            writer.WriteByte((byte)TargetMark.BodyNext);
        _inner.WriteHead(writer, value);
    }

    internal override void WriteBody(SlimWriter writer, object value) => _inner.WriteBody(writer, value);

    internal override object Create(SlimReader reader)
    {
        if (IsReplaceable && TargetMarks.Read(reader) != TargetMark.BodyNext)
            Throw.Malformed($"The mark before a {Type} is not that of an object that stands for another one.");
        object instance = _inner.Create(reader);
        _callbacks.RunDeserializing(reader, instance);
        return instance;
    }

    internal override void ReadBody(SlimReader reader, object instance)
    {
        PartMark mark = reader.BeginPart();
        _inner.ReadBody(reader, instance);
        OwnCompletion.End(reader, mark, this, instance, new SerializedContent(_callbacks));
    }

    internal override void Complete(SlimReader reader, object instance, object content) =>
        OwnCompletion.Run(reader, instance, content);
}
