using Cluster.Contracts;
using Shop.Load;

namespace Shop.Tests.Load;

public sealed class FailureJudgeTests
{
    private readonly FakeWatch _watch = new();
    private readonly FailureJudge _judge;

    public FailureJudgeTests() => _judge = new FailureJudge(_watch, TimeProvider.System);

    [Fact]
    public async Task JudgeAsync_DeadOwner_IsUnavailable()
    {
        _watch.Dead.Add(_watch.Owner);

        Assert.Equal(CallOutcome.Unavailable, await Judge(Failure(GlueErrorKind.Broken)));
    }

    [Fact]
    public async Task JudgeAsync_NewsOfTheDeathComesLater_IsUnavailable()
    {
        var judgement = Judge(Failure(GlueErrorKind.Broken));
        _watch.Dead.Add(_watch.Owner);

        Assert.Equal(CallOutcome.Unavailable, await judgement);
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
        var started = TimeProvider.System.GetTimestamp();
        _watch.LastDeath = started - TimeProvider.System.TimestampFrequency;

        Assert.Equal(
            CallOutcome.Unavailable,
            await _judge.JudgeAsync(Failure(GlueErrorKind.Broken), started, CancellationToken.None));
    }

    [Fact]
    public async Task JudgeAsync_ServiceCallLongAfterADeath_IsAnError()
    {
        var started = TimeProvider.System.GetTimestamp();
        _watch.LastDeath = started - 3 * TimeProvider.System.TimestampFrequency;

        Assert.Equal(
            CallOutcome.Failed,
            await _judge.JudgeAsync(Failure(GlueErrorKind.Broken), started, CancellationToken.None));
    }

    [Theory]
    [InlineData(0, 1, true)]
    [InlineData(1, 1, false)]
    public async Task HasLostAsync_LossCount_Decides(int before, int now, bool isLost)
    {
        _watch.LossCount = now;

        Assert.Equal(isLost, await _judge.HasLostAsync("s", before, CancellationToken.None));
    }

    private Task<CallOutcome> Judge(Exception failure) =>
        _judge.JudgeAsync(failure, _watch.Owner, CancellationToken.None);

    private static GlueException Failure(GlueErrorKind kind) =>
        new(kind, GlueDelivery.Unknown, GlueErrorCode.LinkLost, "test");
}
