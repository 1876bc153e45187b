using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Writes and reads values of a struct by a user's codec.</summary>
/// <typeparam name="T">The struct.</typeparam>
internal sealed class UserCodecFieldSerializer<T>(SlimCodec<T> codec) : FieldSerializer<T>
    where T : struct
{
    // A codec may write nothing for a value; the mark before it makes each value at least one byte long.
    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Codec(codec.Version);

    public override void Write(SlimWriter writer, T value)
    {
        writer.WriteByte(1);
        writer.Depth++;
        var start = writer.BytesWritten;
        codec.Write(writer, value);
        UserCode.Foresee(writer, start);
        writer.Depth--;
    }

    public override T Read(SlimReader reader)
    {
        if (reader.ReadByte() != 1)
            Throw.Malformed("The mark before a value with a codec is missing.");
        reader.Depth++;
        var value = UserCode.Run(codec, reader, static (codec, reader) => codec.Create(reader));
        reader.Depth--;
        return value;
    }
}
