using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Tests.Hosting.Layouts;

/// <summary>What a node keeps of the layouts that others tell, also when they mean it no good.</summary>
public sealed class LayoutShelfTests
{
    private readonly Guid _cluster = Guid.NewGuid();
    private readonly StateDefinition<string, FirstProfile> _state = ProfileVersions.First();
    private readonly LayoutShelf _shelf;

    public LayoutShelfTests() => _shelf = new LayoutShelf(new StateCatalog([_state]), _cluster);

    [Fact]
    public void ToldLayout_IsAnsweredWhenItIsAskedFor()
    {
        var description = DescriptionOf(ProfileVersions.Second());
        var fingerprint = SlimLayouts.FingerprintOf(description);
        Assert.Equal(LayoutReplyStatus.NotKnown, Ask(asked: fingerprint).Status);
        var reply = Ask(told: [description], asked: fingerprint);
        Assert.Equal(LayoutReplyStatus.Done, reply.Status);
        Assert.Equal(description, reply.Description);
        Assert.Equal(description, Ask(asked: fingerprint).Description);
    }

    [Fact]
    public void BadDescriptions_AreRefusedWithTheReason()
    {
        CheckRefused([[1, 2, 3]], "malformed");
        CheckRefused([[]], "malformed");
        CheckRefused([null!], "missing");
        CheckRefused([new byte[LayoutLimits.DescriptionBytesMax + 1]], "larger than 262144");
        var description = DescriptionOf(_state);
        for (var length = 0; length < description.Length; length++)
            CheckRefused([description[..length]], "malformed");
        Assert.Empty(_state.Layouts.All);
    }

    [Fact]
    public void ForeignRequests_AreRefusedWithTheReason()
    {
        Assert.Contains("belongs to cluster", Refusal(new() { StateId = _state.Id }), StringComparison.Ordinal);
        Assert.Contains("not registered", Refusal(new() { ClusterId = _cluster }), StringComparison.Ordinal);
        var other = new LayoutRequest { ClusterId = _cluster, StateId = _state.Id, FormatVersion = 9 };
        Assert.Contains("message format 9", Refusal(other), StringComparison.Ordinal);
    }

    [Fact]
    public void HostileCaller_FillsNoMoreThanTheLimit()
    {
        for (var number = 0; number < LayoutLimits.OfCallers.CountMax; number++)
            Assert.Equal(LayoutReplyStatus.Done, Ask(told: [Made(number)]).Status);
        CheckRefused([Made(-1)], "keeps at most 1024");
        Assert.Equal(LayoutReplyStatus.Done, Ask(told: [Made(1)]).Status);

        // Nodes have filled their books each for itself, and tell each other more.
        _shelf.Take([new LayoutsPart(_state.Id, 0, [Made(-2)])]);
        Assert.Equal(LayoutLimits.OfCallers.CountMax + 1, _state.Layouts.All.Length);
        _shelf.Take([new LayoutsPart(_state.Id, 0, [.. Enumerable.Range(0, 5_000).Select(Made), [1]])]);
        Assert.Equal(LayoutLimits.OfNodes.CountMax, _state.Layouts.All.Length);
        Assert.Equal(5_000 + 2 - LayoutLimits.OfNodes.CountMax, _shelf.DroppedCount);

        // What this process writes itself has room at any time.
        _state.Format.ToBytes(new FirstProfile());
        Assert.Single(_state.Layouts.WrittenHere);
        Assert.Equal(LayoutLimits.OfNodes.CountMax + 1, _state.Layouts.All.Length);
    }

    [Fact]
    public void LayoutsOfStatesOfOtherNodes_AreKeptForThem()
    {
        _shelf.Take([new LayoutsPart(77, 0, [Made(1)]), new LayoutsPart(77, 1, [Made(2)])]);
        Assert.Equal([_state.Id, 77u], _shelf.Books.Select(book => book.State));
        Assert.Equal([Made(1), Made(2)], _shelf.Books[1].Book.All);
    }

    [Fact]
    public async Task ManyWriters_AnnounceEachLayoutBeforeItsFirstBytes()
    {
        for (var round = 0; round < 20; round++)
        {
            var state = ProfileVersions.Second();
            var writers = Enumerable.Range(0, 8).Select(_ => Task.Run(() =>
            {
                state.Format.ToBytes(new SecondProfile { Contact = new MailContact() });
                Assert.Equal(2, state.Layouts.WrittenHere.Length);
            }));
            await Task.WhenAll(writers);
        }
    }

    private static byte[] DescriptionOf<TValue>(StateDefinition<string, TValue> state) =>
        SlimLayouts.DescriptionOf(state.Format.Serializer, typeof(TValue));

    // A class without fields: name, traits, and five times a count of zero.
    private static byte[] Made(int number)
    {
        var name = Encoding.UTF8.GetBytes($"Made.Type{number}, Made");
        return [(byte)name.Length, .. name, 4, 0, 0, 0, 0];
    }

    private LayoutReply Ask(byte[][]? told = null, ulong asked = 0) => _shelf.Execute(
        new LayoutRequest { ClusterId = _cluster, StateId = _state.Id, Told = told ?? [], Asked = asked });

    private void CheckRefused(byte[][] told, string reason)
    {
        var reply = Ask(told);
        Assert.Equal(LayoutReplyStatus.Refused, reply.Status);
        Assert.Contains(reason, reply.Message, StringComparison.Ordinal);
    }

    private string Refusal(LayoutRequest request)
    {
        var reply = _shelf.Execute(request);
        Assert.Equal(LayoutReplyStatus.Refused, reply.Status);
        return reply.Message!;
    }
}
