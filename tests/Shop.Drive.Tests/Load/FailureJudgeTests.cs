using Cluster.Contracts;
using Cluster.Testing;
using Shop.Drive.Load;

namespace Shop.Drive.Tests.Load;

public sealed class FailureJudgeTests
{
    private readonly FakeWatch _watch = new();
    private readonly ManualTimeProvider _time = new();
    private readonly FailureJudge _judge;

    public FailureJudgeTests() => _judge = new FailureJudge(_watch, _time);

    [Fact]
    public async Task JudgeAsync_DeadOwner_IsUnavailable()
    {
        _watch.Dead.Add(_watch.Owner);

        Assert.Equal(CallOutcome.Unavailable, await Judge(Failure(GlueErrorKind.Broken)));
    }

    [Fact]
    public async Task JudgeAsync_NewsOfTheDeathComesLater_IsUnavailable()
    {
        var judgement = _judge.JudgeAsync(
            Failure(GlueErrorKind.Broken), "s", _watch.PlaceOf("s"), CancellationToken.None);
        _time.Advance(FailureJudge.NewsDelayMax / 2);
        Assert.False(judgement.IsCompleted);
        _watch.Dead.Add(_watch.Owner);

        Assert.Equal(CallOutcome.Unavailable, await WaitOutAsync(judgement));
    }

    /// <summary>Before the call was sent, the partition moved to the node that died.</summary>
    [Fact]
    public async Task JudgeAsync_PartitionWasLostSinceTheCallBegan_IsUnavailable()
    {
        var before = _watch.PlaceOf("s");
        _watch.LossCount++;

        Assert.Equal(
            CallOutcome.Unavailable,
            await _judge.JudgeAsync(Failure(GlueErrorKind.Broken), "s", before, CancellationToken.None));
    }

    [Fact]
    public async Task JudgeAsync_LivingOwner_IsAnErrorAfterTheWait() =>
        Assert.Equal(CallOutcome.Failed, await Judge(Failure(GlueErrorKind.Deadline)));

    [Theory]
    [InlineData(GlueErrorKind.Refused)]
    [InlineData(GlueErrorKind.Overloaded)]
    public async Task JudgeAsync_OtherKindsFromADeadOwner_AreErrors(GlueErrorKind kind)
    {
        _watch.Dead.Add(_watch.Owner);

        Assert.Equal(CallOutcome.Failed, await Judge(Failure(kind)));
    }

    [Fact]
    public async Task JudgeAsync_ApplicationFailure_IsAnErrorAtOnce() =>
        Assert.Equal(CallOutcome.Failed, await Judge(new InvalidOperationException()));

    [Fact]
    public async Task JudgeAsync_ServiceCallAroundADeath_IsUnavailable()
    {
        _watch.LastDeath = _time.GetTimestamp();
        _time.Advance(FailureJudge.NewsDelayMax / 2);

        Assert.Equal(
            CallOutcome.Unavailable,
            await JudgeServiceCall(isRepeated: true));
    }

    /// <summary>The client repeats a call that changes nothing at another node, but not any other call.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task JudgeAsync_ServiceCallAroundAPause_IsAnError_IfItIsRepeated(bool isRepeated)
    {
        _watch.LastPause = _time.GetTimestamp();
        _time.Advance(FailureJudge.NewsDelayMax / 2);

        Assert.Equal(
            isRepeated ? CallOutcome.Failed : CallOutcome.Unavailable,
            await WaitOutAsync(JudgeServiceCall(isRepeated)));
    }

    [Fact]
    public async Task JudgeAsync_ServiceCallLongAfterADeath_IsAnError()
    {
        _watch.LastDeath = _time.GetTimestamp();
        _time.Advance(1.5 * FailureJudge.NewsDelayMax);

        Assert.Equal(CallOutcome.Failed, await WaitOutAsync(JudgeServiceCall(isRepeated: true)));
    }

    [Theory]
    [InlineData(0, 1, true)]
    [InlineData(1, 1, false)]
    public async Task HasLostAsync_LossCount_Decides(int before, int now, bool isLost)
    {
        _watch.LossCount = now;

        Assert.Equal(isLost, await WaitOutAsync(_judge.HasLostAsync("s", before, CancellationToken.None)));
    }

    private Task<CallOutcome> JudgeServiceCall(bool isRepeated) => _judge.JudgeAsync(
        Failure(GlueErrorKind.Broken), _time.GetTimestamp(), isRepeated, CancellationToken.None);

    private Task<CallOutcome> Judge(Exception failure) =>
        WaitOutAsync(_judge.JudgeAsync(failure, "s", _watch.PlaceOf("s"), CancellationToken.None));

    private async Task<T> WaitOutAsync<T>(Task<T> judgement)
    {
        while (!judgement.IsCompleted)
        {
            await Eventually.TrueAsync(
                () => judgement.IsCompleted || _time.ArmedTimerCount > 0, TimeSpan.FromMinutes(1));
            _time.Advance(_time.UntilNextTimer ?? TimeSpan.Zero);
        }

        return await judgement;
    }

    private static GlueException Failure(GlueErrorKind kind) =>
        new(kind, GlueDelivery.Unknown, GlueErrorCode.LinkLost, "test");
}
