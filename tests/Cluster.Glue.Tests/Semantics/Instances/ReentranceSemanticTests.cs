using Cluster.Testing;

namespace Cluster.Glue.Tests.Semantics.Instances;

/// <summary>Who waits inside an instance for its own callback does not lock that out, and still locks out
/// others.</summary>
[Trait("Case", "glue-63")]
public abstract class ReentranceSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    // Time passes when a test says so.
    private readonly ManualTimeProvider _time = new();

    protected override TimeProvider Time => _time;

    public override void ConfigureServer(GlueServerOptions options)
    {
        base.ConfigureServer(options);
        options.InstanceLockTimeout = TimeSpan.FromSeconds(1);
        options.DefaultDeadline = DefaultDeadline;
    }

    private protected override void AddServices(GlueServerBuilder glue) =>
        glue.AddService<IRoom, Room>(GlueInstanceMode.Stateful)
            .AddService<IClosedRoom, ClosedRoom>(GlueInstanceMode.Stateful);

    [Fact]
    public async Task Callback_EntersTheInstanceThatWaitsForIt()
    {
        var rooms = Proxy<IRoom>();
        var room = rooms.At(await rooms.OpenAsync());
        var guest = new Guest(number => room.AddAsync(number));
        Assert.Equal(5005, await room.AskAsync(guest, 5).WaitAsync(Bound));
        guest = new Guest(async number => number == 0 ? 1 : await room.AskAsync(guest!, number - 1));
        Assert.Equal(1 + (4 * 5000), await room.AskAsync(guest, 3).WaitAsync(Bound));
    }

    [Fact]
    public async Task Others_WaitUntilTheOuterCallHasLeft()
    {
        var rooms = Proxy<IRoom>();
        var room = rooms.At(await rooms.OpenAsync());
        var entered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var goOn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var guest = new Guest(async number =>
        {
            var sum = await room.AddAsync(number);
            entered.SetResult();
            await goOn.Task;
            return sum;
        });
        var asking = room.AskAsync(guest, 5);
        await entered.Task.WaitAsync(Bound);
        var other = room.AddAsync(1);
        Assert.Equal(2, await rooms.At(await rooms.OpenAsync()).AddAsync(2));
        Assert.False(other.IsCompleted);
        goOn.SetResult();
        Assert.Equal(5005, await asking.WaitAsync(Bound));
        Assert.Equal(6, await other.WaitAsync(Bound));
    }

    [Fact]
    public async Task NonReentrantInstance_LocksItsCallbackOut()
    {
        var rooms = Proxy<IClosedRoom>();
        var room = rooms.At(await rooms.OpenAsync());
        var code = GlueErrorCode.Unknown;
        var guest = new Guest(async number =>
        {
            var call = room.AddAsync(number);
            await Eventually.TrueAsync(
                () =>
                {
                    _time.Advance(TimeSpan.FromMilliseconds(50));
                    return call.IsCompleted;
                },
                Bound);
            code = (await Assert.ThrowsAsync<GlueException>(() => call)).Code;
            return number;
        });
        Assert.Equal(5, await room.AskAsync(guest, 5).WaitAsync(Bound));
        Assert.Equal(GlueErrorCode.InstanceLockTimeout, code);
        Assert.Equal(1, await room.AddAsync(1).WaitAsync(Bound));
    }
}
