using Cluster.Glue.Client;
using Cluster.Glue.Filters;
using Cluster.Glue.Routes;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Substreams;

namespace Cluster.Glue.Tests.Client;

public class OutgoingCallTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task CallThatEndsWhileItWaitsToBeSent_IsReusedOnlyWhenNobodySendsItAnyMore()
    {
        var settings = new ClientSettings(new GlueClientOptions());
        var contract = new ClientContract(ContractDescription.Of(typeof(ISum)), settings, static () => 0);
        var method = (ClientMethod<int>)contract.Methods[0];
        var channel = new SlowChannel();
        var call = method.Begin(new FixedRoute(settings, channel));
        call.Write(1);
        call.Write(2);
        var result = call.SendForValueTaskAsync(CancellationToken.None);
        channel.MayStart.SetResult();
        await channel.HasStarted.Task.WaitAsync(Bound);
        var length = call.Arguments.Length;

        // As a deadline or a cancellation does, after the call was put into the table and before it was written.
        call.FinishWithFailure(new GlueException(
            GlueErrorKind.Deadline, GlueDelivery.Unknown, GlueErrorCode.DeadlineAwaitingReply, "over"));
        await RunThroughPoolAsync();
        Assert.False(result.IsCompleted);
        Assert.True(length > 0);
        Assert.Equal(length, call.Arguments.Length);
        Assert.NotSame(call, method.Begin(call.Route));

        channel.MayEnd.SetResult();
        await Assert.ThrowsAsync<GlueException>(() => result.AsTask().WaitAsync(Bound));
        Assert.Same(call, method.Begin(call.Route));
    }

    // What was queued before has begun, and all but surely ended.
    private static async Task RunThroughPoolAsync()
    {
        for (var i = 0; i < 100; i++)
        {
            var passed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            ThreadPool.UnsafeQueueUserWorkItem(static one => one.SetResult(), passed, preferLocal: false);
            await passed.Task.WaitAsync(Bound);
        }
    }

    internal interface ISum
    {
        ValueTask<int> AddAsync(int left, int right);
    }

    /// <summary>A channel that is still sending a call when it ends.</summary>
    private sealed class SlowChannel : ICallChannel
    {
        public TaskCompletionSource MayStart { get; } = New();

        public TaskCompletionSource HasStarted { get; } = New();

        public TaskCompletionSource MayEnd { get; } = New();

        public string Address => "slow";

        public GlueBinding Binding => GlueBinding.Link;

        public StartResult TryStart(OutgoingCall call) => StartResult.NotConnected;

        public async ValueTask StartAsync(OutgoingCall call)
        {
            await MayStart.Task;
            HasStarted.SetResult();
            await MayEnd.Task;
        }

        private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
