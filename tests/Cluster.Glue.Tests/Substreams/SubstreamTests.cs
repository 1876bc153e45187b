using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Substreams;

/// <summary>How a substream and the stream that carries it end.</summary>
public sealed class SubstreamTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task WhatIsSaidBehindTheEnd_DoesNotHoldItUp()
    {
        var owner = new Owner();
        var substream = new Substream(SubstreamRole.Control, owner.Settings, owner);
        var stream = new HeldStream();
        var carrying = await substream.CarryAsync(stream, static _ => new ValueTask<ulong>(0UL));
        await substream.Carried.WaitAsync(Bound);
        var completing = substream.CompleteAsync();
        await stream.Completing.Task.WaitAsync(Bound);
        // An answer to what came last.
        substream.Writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Pong, CallId = 1 }, default);
        stream.End.SetResult();
        await completing.WaitAsync(Bound);
        Assert.Null(await carrying.WaitAsync(Bound));
    }

    /// <summary>Waits until all is written, as a server does.</summary>
    private sealed class Owner : ISubstreamOwner
    {
        public Owner()
        {
            var settings = new ClientSettings(new GlueClientOptions());
            Settings = settings.ToLink(
                new Hello(2, 2, settings.Node, 1 << 20, 16, LinkSecret.New(), TimeSpan.Zero),
                LinkSecret.New(),
                "peer",
                settings.Metrics);
            IncomingRoom = new TransferRoom(Settings);
        }

        public LinkSettings Settings { get; }

        public TransferRoom IncomingRoom { get; }

        public bool IsPeerGone => false;

        public void Handle(Substream substream, ReadOnlySpan<byte> envelopes)
        {
        }

        public ValueTask WaitForRoomAsync(Substream substream) => ValueTask.CompletedTask;

        public Task FinishAsync(Substream substream) => substream.Writer.WaitUntilIdleAsync();
    }

    /// <summary>Ends its reading when the test says so, after its own half has ended.</summary>
    private sealed class HeldStream : IMessageStream
    {
        public TaskCompletionSource Completing { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource End { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int ReceiveBytesMax { get; set; }

        public ValueTask SendAsync(ReadOnlyMemory<byte> payload) => ValueTask.CompletedTask;

        public async ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
        {
            await End.Task;
            return null;
        }

        public ValueTask CompleteAsync()
        {
            Completing.SetResult();
            return ValueTask.CompletedTask;
        }

        public void Abort()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
