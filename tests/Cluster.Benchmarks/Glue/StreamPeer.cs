using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;

namespace Cluster.Benchmarks.Glue;

/// <summary>The peer's side of the rows about streams, over Glue and over a bare HTTP/2 response. Stateless.</summary>
public sealed class StreamPeer : IStreamPeer
{
    // What Glue's own batches are cut to.
    private const int FlushBytes = 16 * 1024;

    /// <inheritdoc />
    public async IAsyncEnumerable<byte[]> GiveAsync(int count, int bytes)
    {
        var item = new byte[bytes];
        await Task.CompletedTask;
        for (var i = 0; i < count; i++)
            yield return item;
    }

    /// <summary>The same items with their lengths in front, written by hand.</summary>
    /// <param name="context">The request; its query says how many items and bytes.</param>
    internal static async Task GiveBareAsync(HttpContext context)
    {
        int count = Number("count"), bytes = Number("bytes");
        var output = context.Response.BodyWriter;
        var item = new byte[bytes];
        for (var i = 0; i < count; i++)
        {
            Write(output, item);
            if (output.UnflushedBytes >= FlushBytes)
                await output.FlushAsync();
        }

        int Number(string name) => int.Parse(context.Request.Query[name]!, CultureInfo.InvariantCulture);
    }

    private static void Write(PipeWriter output, byte[] item)
    {
        var room = output.GetSpan(sizeof(int) + item.Length);
        BinaryPrimitives.WriteInt32LittleEndian(room, item.Length);
        item.CopyTo(room[sizeof(int)..]);
        output.Advance(sizeof(int) + item.Length);
    }
}
