using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Writes and reads objects by a user's codec, which decides about head and body.</summary>
/// <typeparam name="T">The class.</typeparam>
internal sealed class UserCodecSerializer<T>(SlimCodec<T> codec) : TypeSerializer(typeof(T))
    where T : class
{
    public override bool HeadHasReferences => true;

    public override void Describe(LayoutBuilder layout) => layout.Creation.Codec(codec.Version);

    public override void WriteHead(SlimWriter writer, object value)
    {
        var start = writer.BytesWritten;
        codec.Write(writer, (T)value);
        UserCode.Foresee(writer, start);
    }

    public override object Create(SlimReader reader)
    {
        var value = UserCode.Run(codec, reader, static (codec, reader) => codec.Create(reader));
        if (value?.GetType() != typeof(T))
            Throw.Malformed($"The codec of {typeof(T)} did not create one.");
        return value!;
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        var start = writer.BytesWritten;
        codec.WriteContent(writer, (T)value);
        UserCode.Foresee(writer, start);
    }

    public override void ReadBody(SlimReader reader, object instance) =>
        UserCode.Run((codec, (T)instance), reader, static (state, reader) =>
        {
            state.codec.ReadContent(reader, state.Item2);
            return true;
        });
}
