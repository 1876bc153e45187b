using Cluster.StateStore.Hosting.Calls;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Tests.Hosting.Calls;

public sealed class ReadCallTests
{
    private static readonly StateDefinition<long, string> Names = StateDefinition.Create<long, string>("names");
    private static readonly StateDefinition<long, string> Towns = StateDefinition.Create<long, string>("towns");

    [Fact]
    public void ToRequest_EarlierReadAnswered_FillsItsRequestAnew()
    {
        var first = Read(Names, 1, isAnswered: true);
        var second = Read(Names, 2, isAnswered: true);
        Assert.Same(first, second);
        Assert.Equal([2], second.Key);
        Assert.Equal(2, second.Partition);
        Assert.Equal(2, second.Epoch);
        Assert.Equal(2, second.TableVersion);
    }

    [Fact]
    public void ToRequest_EarlierReadNotAnswered_LeavesItsRequestAlone()
    {
        var first = Read(Names, 1, isAnswered: false);
        var second = Read(Names, 2, isAnswered: true);
        Assert.NotSame(first, second);
        Assert.Equal([1], first.Key);
        Assert.Equal(1, first.Partition);
    }

    [Fact]
    public void ToRequest_SecondAttempt_LeavesTheRequestOfTheFirstAlone()
    {
        using var call = ReadCall<string>.Rent(Names, Names.Format, KeyOf(Names, 1));
        var first = call.ToRequest(TargetOf(1));
        var second = call.ToRequest(TargetOf(2));
        Assert.NotSame(first, second);
        Assert.Equal(1, first.Epoch);
    }

    [Fact]
    public void Rent_AnotherState_GetsARequestOfItsOwn()
    {
        var first = Read(Names, 1, isAnswered: true);
        var second = Read(Towns, 2, isAnswered: true);
        Assert.NotSame(first, second);
        Assert.Equal(Names.Id, first.StateId);
        Assert.Equal(Towns.Id, second.StateId);
    }

    [Fact]
    public void Dispose_ForgetsWhatWasFound()
    {
        var call = ReadCall<string>.Rent(Names, Names.Format, KeyOf(Names, 1));
        call.ToRequest(TargetOf(1));
        using (var value = Names.Format.Write("Ann"))
            call.Accept(new StateReply { Status = StateReplyStatus.Done, Payload = value.Written.ToArray(), Version = 7 });
        Assert.Equal("Ann", call.Found?.Value);
        call.Dispose();
        using var next = ReadCall<string>.Rent(Names, Names.Format, KeyOf(Names, 2));
        Assert.Same(call, next);
        Assert.Null(next.Found);
        Assert.Null(next.Keepable);
    }

    private static StateRequest Read(StateDefinition<long, string> state, byte key, bool isAnswered)
    {
        using var call = ReadCall<string>.Rent(state, state.Format, KeyOf(state, key));
        var request = call.ToRequest(TargetOf(key));
        if (isAnswered)
            call.Accept(new StateReply { Status = StateReplyStatus.NotFound });
        return request;
    }

    private static HashedKey KeyOf(StateDefinition state, byte key) => new(state.Id, key, [key]);

    private static RequestTarget TargetOf(int number) =>
        new(Guid.Empty, new PartitionId(number), new Epoch(number), number);
}
