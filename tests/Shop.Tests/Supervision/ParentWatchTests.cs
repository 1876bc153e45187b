using System.IO.Pipes;
using Cluster.Testing;
using Shop.Supervision;

namespace Shop.Tests.Supervision;

public sealed class ParentWatchTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task Start_ParentWritesAndGoesAway_EndsInOrderOnce()
    {
        using var parent = new AnonymousPipeServerStream(PipeDirection.Out);
        using var pipe = new AnonymousPipeClientStream(PipeDirection.In, parent.ClientSafePipeHandle);
        var endCount = 0;
        ParentWatch? watch = null;
        using var started = new ManualResetEventSlim();
        watch = ParentWatch.Start(pipe, () =>
        {
            started.Wait(Bound);
            watch!.Complete();
            Interlocked.Increment(ref endCount);
        });
        started.Set();

        parent.Write("hello"u8);
        parent.Flush();
        Assert.Equal(0, Volatile.Read(ref endCount));
        parent.Dispose();

        await Eventually.TrueAsync(() => Volatile.Read(ref endCount) == 1, Bound);
    }
}
