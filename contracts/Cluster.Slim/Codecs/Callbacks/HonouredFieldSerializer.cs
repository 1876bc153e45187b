using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Writes and reads a struct that is <c>ISerializable</c> or has callbacks. All code of the struct runs when
/// its place is read, because the value is copied to that place afterwards. In a cycle, objects to which the struct
/// refers may still be incomplete then.</summary>
/// <typeparam name="T">The struct.</typeparam>
internal sealed class HonouredFieldSerializer<T>(FieldSerializer<T> fields, SerializerSource source)
    : FieldSerializer<T>
    where T : struct
{
    private readonly TypeCallbacks? _callbacks = TypeCallbacks.Find(typeof(T));
    private readonly ContentCodec? _codec =
        FormatterInterfaces.IsSerializable(typeof(T)) ? new ContentCodec(typeof(T), source) : null;
    private readonly FieldSerializer<T> _fields = fields;

    public override int BytesMin => _codec is null ? _fields.BytesMin : 2;

    public override void Describe(LayoutBuilder layout)
    {
        if (_codec is null)
        {
            _fields.Describe(layout);
            return;
        }

        layout.Body.Target();
        ContentCodec.DescribeValues(layout.Body);
    }

    public override void Write(SlimWriter writer, T value)
    {
        object box = value;
        _callbacks?.RunSerializing(writer, box);
        if (_callbacks is not null)
        {
            writer.Callbacks.AddWritten(_callbacks, box);
            writer.Doubts.AddCallbacks(_callbacks.ReadRunCount);
        }

        if (_codec is null)
        {
            _fields.Write(writer, (T)box);
            return;
        }

        var content = _codec.ContentOf(writer, box);
        writer.Depth++;
        _codec.WriteTarget(writer, content);
        _codec.WriteValues(writer, content);
        writer.Depth--;
    }

    public override T Read(SlimReader reader)
    {
        (var box, var callbacks) = _codec is null ? ReadFields(reader) : ReadContent(reader, _codec);
        var real = callbacks?.RealObjectOf(reader, box) ?? box;
        if (real is not T)
            Throw.Malformed($"A {real.GetType()} came out of the content of a {typeof(T)}.");
        callbacks?.RunDeserialized(reader, real);
        callbacks?.RunNotification(reader, real);
        return (T)real;
    }

    private (object Box, TypeCallbacks? Callbacks) ReadFields(SlimReader reader)
    {
        object box = default(T);
        _callbacks?.RunDeserializing(reader, box);
        ref var value = ref Unsafe.Unbox<T>(box);
        if (_fields is StructFieldSerializer<T> fields)
            fields.ReadInto(reader, ref value);
        else
            value = _fields.Read(reader);
        return (box, _callbacks);
    }

    private static (object Box, TypeCallbacks? Callbacks) ReadContent(SlimReader reader, ContentCodec codec)
    {
        var recipe = codec.ReadTarget(reader);
        var box = recipe.NewShell(reader);
        reader.Depth++;
        var content = codec.ReadValues(reader, recipe);
        reader.Depth--;
        recipe.Apply(reader, box, content);
        return (box, recipe.Callbacks);
    }
}
