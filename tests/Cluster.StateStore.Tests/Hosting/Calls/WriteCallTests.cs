using Cluster.StateStore.Hosting.Calls;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Tests.Hosting.Calls;

public sealed class WriteCallTests
{
    private static readonly StateDefinition<long, string> Names = StateDefinition.Create<long, string>("names");

    [Fact]
    public void ToRequest_RefersToTheSerializedValue()
    {
        using var value = Names.Format.Write("Ann");
        using var call = Put(value);
        Assert.True(value.Written.Span.Overlaps(call.ToRequest(Target).Payload.Span, out var offset));
        Assert.Equal(0, offset);
    }

    [Fact]
    public void ToRequest_WithoutAValue_HasNoPayload()
    {
        using var call = new WriteCall(Names, Key, StateVerb.Remove, default, null);
        Assert.True(call.ToRequest(Target).Payload.IsNull);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Dispose_WithARequestThatWasNotAnswered_LeavesItsBytesAlone(int answeredCount)
    {
        var call = Put(Names.Format.Write("Ann"));
        var late = call.ToRequest(Target);
        if (answeredCount > 0)
        {
            call.ToRequest(Target);
            call.NoteAnswered();
        }

        var before = late.Payload.ToArray();
        call.Dispose();

        // A buffer in the pool would be the first one that this thread gets.
        using var next = Names.Format.Write("Bob");
        Assert.Equal(before, late.Payload.ToArray());
    }

    [Fact]
    public void Dispose_WithAnsweredRequests_GivesTheMemoryBack()
    {
        var call = Put(Names.Format.Write("Ann"));
        var request = call.ToRequest(Target);
        call.NoteAnswered();
        call.Dispose();
        using var next = Names.Format.Write("Bob");
        Assert.True(next.Written.Span.Overlaps(request.Payload.Span));
    }

    private static HashedKey Key => new(Names.Id, 1, [1]);

    private static RequestTarget Target => new(Guid.Empty, new PartitionId(1), new Epoch(1), 1);

    private static WriteCall Put(ValueBuffer value) => new(Names, Key, StateVerb.Put, default, value);
}
