using Cluster.Nodes.AspNetCore.Caching;
using Cluster.Slim.Messages;

namespace Cluster.Nodes.AspNetCore.Output;

/// <summary>The form of a kept response: the number of tags, each tag with its stamp, then the bytes as those of a
/// cached value. Stateless.</summary>
internal sealed class CachedOutputCodec : SlimCodec<CachedOutput>
{
    /// <summary>The most that tags may take, with what the serializer writes around them.</summary>
    public const int OverheadBytes = 1 << 20;

    private const int StampBytes = 16;

    private readonly CachedValueCodec _response = new();

    public override void Write(SlimWriter writer, CachedOutput value)
    {
        Span<byte> stamp = stackalloc byte[StampBytes];
        writer.WriteCount(value.Tags.Length);
        for (var index = 0; index < value.Tags.Length; index++)
        {
            writer.Write(value.Tags[index]);
            value.Stamps[index].Value.TryWriteBytes(stamp);
            writer.WriteBytes(stamp);
        }

        _response.Write(writer, value.Response);
    }

    public override CachedOutput Create(SlimReader reader)
    {
        Span<byte> stamp = stackalloc byte[StampBytes];
        var count = reader.ReadCount(StampBytes + 1);
        reader.Charge((StampBytes + IntPtr.Size) * (long)count);
        var (tags, stamps) = (new string[count], new TagStamp[count]);
        for (var index = 0; index < count; index++)
        {
            tags[index] = reader.Read<string>();
            reader.ReadBytes(stamp);
            stamps[index] = new TagStamp(new Guid(stamp));
        }

        return new CachedOutput(_response.Create(reader), tags, stamps);
    }
}
