using System.IO.Pipelines;
using Cluster.Benchmarks.Harness;
using Cluster.Glue;

namespace Cluster.Benchmarks.Glue;

/// <summary>Items per second that a service streams to one reader, each an object of its own there, against the same
/// bytes in the body of a bare HTTP/2 response. Two processes, defaults on both sides. Stateless.</summary>
internal static class StreamRows
{
    private const int ItemBytes = 100;
    private const int WarmUpItems = 100_000;
    private const int Rounds = 4;

    public static void Run(BenchmarkRun run, PeerProcess peer)
    {
        if (!run.Wants("stream.items", "stream.items.bare"))
            return;
        var streams = GlueClient.Connect<IStreamPeer>(peer.GlueAddress);
        using var client = new HttpClient
        {
            DefaultRequestVersion = HttpVersion.Version20,
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
            BaseAddress = new Uri(peer.BareAddress),
        };
        CallLoad.WarmUp(
            TimeSpan.FromSeconds(run.IsQuick ? 2 : 10),
            _ => ReadAsync(streams, WarmUpItems),
            _ => ReadBareAsync(client, WarmUpItems));
        var count = (int)run.Size("stream.items");
        double best = 0, bestBare = 0;
        for (var round = 0; round < Rounds; round++)
        {
            best = Math.Max(best, RateOf(count, () => ReadAsync(streams, count)));
            bestBare = Math.Max(bestBare, RateOf(count, () => ReadBareAsync(client, count)));
        }

        run.Report("stream.items", best / 1e6);
        run.Report("stream.items.bare", best / bestBare);
    }

    private static double RateOf(int count, Func<Task> read)
    {
        var started = Stopwatch.GetTimestamp();
        Task.Run(read).GetAwaiter().GetResult();
        return count / Stopwatch.GetElapsedTime(started).TotalSeconds;
    }

    private static async Task ReadAsync(IStreamPeer streams, int count)
    {
        var read = 0;
        await foreach (var item in streams.GiveAsync(count, ItemBytes))
            read += item.Length / ItemBytes;
        Check(read, count);
    }

    private static async Task ReadBareAsync(HttpClient client, int count)
    {
        await using var body = await client.GetStreamAsync($"/items?count={count}&bytes={ItemBytes}");
        var input = PipeReader.Create(body, new StreamPipeReaderOptions(bufferSize: 64 * 1024));
        var read = 0;
        while (true)
        {
            var result = await input.ReadAsync();
            var rest = result.Buffer;
            while (TryCut(ref rest) is { } item)
                read += item.Length / ItemBytes;
            input.AdvanceTo(rest.Start, rest.End);
            if (result.IsCompleted)
                break;
        }

        Check(read, count);
    }

    private static byte[]? TryCut(ref ReadOnlySequence<byte> rest)
    {
        if (rest.Length < sizeof(int))
            return null;
        Span<byte> head = stackalloc byte[sizeof(int)];
        rest.Slice(0, sizeof(int)).CopyTo(head);
        var length = BinaryPrimitives.ReadInt32LittleEndian(head);
        if (rest.Length < sizeof(int) + length)
            return null;
        var item = rest.Slice(sizeof(int), length).ToArray();
        rest = rest.Slice(sizeof(int) + length);
        return item;
    }

    private static void Check(int read, int count)
    {
        if (read != count)
            throw new InvalidOperationException("Not all items have arrived.");
    }
}
