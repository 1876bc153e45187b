using Cluster.Glue.Tests.Fuzzing;
using Cluster.Slim.Messages;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

public sealed class Card
{
    public int Number { get; init; }

    public SlimBytes Bytes { get; init; }

    public string? Tail { get; init; }
}

public interface ICards
{
    Task<Card> EchoAsync(Card card);

    Task KeepAsync(Card card);

    Task<int> SumAfterGateAsync(Card card);
}

/// <summary>Bytes that a caller lends to a call, and that a service reads where they have arrived: they are in the
/// message when the caller may use their memory again, and stay as they came until the service has answered.</summary>
[WithCanaryArrays]
[Trait("Case", "put-walk")]
public sealed class LentBytesTests : DisturbedLinkTests
{
    private const int OrdinaryBytes = 2_000;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(200)]
    [InlineData(15_000)]
    [InlineData(40_000)]
    [InlineData(70_000)]
    [InlineData(1_000_000)]
    public async Task Bytes_OfEachLength_ComeBack(int length)
    {
        var bytes = Filled(3, length);
        for (var round = 0; round < 3; round++)
        {
            var back = await Proxy<ICards>().EchoAsync(new Card { Number = 5, Bytes = bytes, Tail = "end" })
                .WaitAsync(Bound);
            Assert.Equal(bytes, back.Bytes.ToArray());
            Assert.Equal((5, "end"), (back.Number, back.Tail));
            back.Bytes.Return();
        }
    }

    [Fact]
    public async Task CallThatIsStillWritten_BringsItsOwnBytes_WhenTheirMemoryHasOthers()
    {
        var isWritten = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var client = Connect(
            wrap: stream => new RecordingStream(stream, (toServer, payload) =>
            {
                if (toServer && payload.Length > OrdinaryBytes)
                    isWritten.TrySetResult();
            }));
        var cards = client.CreateProxy<ICards>(Host.Address);
        await cards.EchoAsync(new Card()).WaitAsync(Bound);
        Faults.Hold(CallsStream);
        var memory = Filled(1, OrdinaryBytes);
        var first = cards.KeepAsync(new Card { Number = 1, Bytes = memory });
        await isWritten.Task.WaitAsync(Bound);

        // As the pool does, when a caller has given its write up and another one gets the memory.
        memory.AsSpan().Fill(2);
        var second = cards.KeepAsync(new Card { Number = 2, Bytes = memory });
        memory.AsSpan().Fill(3);
        Faults.Release(CallsStream);
        await Task.WhenAll(first, second).WaitAsync(Bound);
        var kept = Host.Services.GetRequiredService<Cards>().Kept;
        Assert.Equal(Filled(1, OrdinaryBytes), kept[1]);
        Assert.Equal(Filled(2, OrdinaryBytes), kept[2]);
    }

    [Fact]
    public async Task BytesOfACallThatWaits_StayAsTheyCame_WhileOthersArrive()
    {
        var cards = Proxy<ICards>();
        var waiting = Enumerable.Range(1, 20)
            .Select(number => cards.SumAfterGateAsync(new Card { Bytes = Filled((byte)number, OrdinaryBytes) }))
            .ToArray();
        for (var round = 0; round < 300; round++)
        {
            var back = await cards.EchoAsync(new Card { Bytes = Filled(200, OrdinaryBytes) }).WaitAsync(Bound);
            back.Bytes.Return();
        }

        Host.Services.GetRequiredService<Cards>().Gate.SetResult();
        Assert.Equal(
            Enumerable.Range(1, 20).Select(number => number * OrdinaryBytes),
            await Task.WhenAll(waiting).WaitAsync(Bound));
    }

    private protected override Task<GlueHost> StartHostAsync() => GlueHost.StartAsync(addServices: glue =>
    {
        GlueHost.AddSemanticServices(glue);
        glue.Services.AddSingleton<Cards>();
        glue.AddService<ICards, Cards>(GlueInstanceMode.Singleton);
    });

    private static byte[] Filled(byte value, int length)
    {
        var bytes = new byte[length];
        bytes.AsSpan().Fill(value);
        return bytes;
    }

    public sealed class Cards : ICards
    {
        public TaskCompletionSource Gate { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ConcurrentDictionary<int, byte[]> Kept { get; } = new();

        public async Task<Card> EchoAsync(Card card)
        {
            await Task.Yield();
            return card;
        }

        public Task KeepAsync(Card card)
        {
            Kept[card.Number] = card.Bytes.ToArray()!;
            return Task.CompletedTask;
        }

        public async Task<int> SumAfterGateAsync(Card card)
        {
            await Gate.Task.WaitAsync(Bound);
            return card.Bytes.Span.ToArray().Sum(value => (int)value);
        }
    }
}
