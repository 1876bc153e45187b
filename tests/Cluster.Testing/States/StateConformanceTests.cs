using Cluster.Contracts;
using Cluster.Slim;
using Cluster.StateStore;
using Xunit;

namespace Cluster.Testing.States;

/// <summary>The behaviour of every operation of a state: results, allowed types and exceptions. One class inherits the
/// suite for each place from which a key can be used: its owner, another node, a client. The behaviour must be the same
/// everywhere.</summary>
[Trait("Case", "repair-C2")]
public abstract class StateConformanceTests : IAsyncLifetime
{
    private IPartitionedState<string, Basket> _state = null!;
    private string _key = "";

    /// <summary>Starts the processes that the suite needs. Returns the state, and a key whose owner is in the place
    /// that this class tests.</summary>
    protected abstract Task<(IPartitionedState<string, Basket> State, string Key)> OpenAsync();

    /// <summary>Ends everything that <see cref="OpenAsync"/> has started.</summary>
    protected abstract Task CloseAsync();

    /// <summary>The registration that the suite expects.</summary>
    protected static void Configure(StateOptions<string, Basket> options) =>
        options.ConfigureTypes(types => types.Allow<Ribbon>().Allow<OutOfStockException>());

    public async Task InitializeAsync() => (_state, _key) = await OpenAsync();

    public Task DisposeAsync() => CloseAsync();

    [Fact]
    public async Task Absent_EveryOperation_SaysSo()
    {
        Assert.Null(await _state.GetAsync(_key));
        Assert.Null(await _state.GetWithVersionAsync(_key));
        Assert.False(await _state.RemoveAsync(_key));
        Assert.False(await _state.TouchAsync(_key));
        Assert.Null(await _state.PutIfVersionAsync(_key, new Basket(), new StateVersion(7)));
        Assert.Null(await _state.UpdateAsync(_key, new Empty()));
        Assert.Equal(-1, await _state.UpdateAsync(_key, default(CountLines)));
    }

    [Fact]
    public async Task Present_EveryOperation_Works()
    {
        var first = await _state.PutAsync(_key, new Basket { Lines = { "a" } }, StateExpiry.After(TimeSpan.FromHours(1)));
        Assert.Equal(first, (await _state.GetWithVersionAsync(_key))!.Value.Version);
        var second = await _state.PutIfVersionAsync(_key, new Basket { Lines = { "a", "b" } }, first);
        Assert.True(second > first);
        Assert.Null(await _state.PutIfVersionAsync(_key, new Basket(), first));
        Assert.True(await _state.TouchAsync(_key, StateExpiry.Never));
        Assert.Equal(2, await _state.UpdateAsync(_key, default(CountLines)));
        Assert.Equal(["a", "b"], (await _state.UpdateAsync(_key, new Empty()))!.Lines);
        await _state.PutAsync(_key, new Basket());
        Assert.True(await _state.RemoveAsync(_key));
        Assert.Null(await _state.GetAsync(_key));
    }

    [Fact]
    public async Task Value_ChangedAfterPutOrGet_StaysAsItWasStored()
    {
        var basket = new Basket { Lines = { "a" }, Extra = new Ribbon("red") };
        await _state.PutAsync(_key, basket);
        basket.Lines.Add("later");
        var found = (await _state.GetAsync(_key))!;
        Assert.Equal(["a"], found.Lines);
        Assert.Equal(new Ribbon("red"), found.Extra);
        found.Lines.Add("mine alone");
        Assert.Equal(["a"], (await _state.GetAsync(_key))!.Lines);
    }

    [Fact]
    public async Task Operation_ThatWritesItsFields_LeavesTheCallersObjectAsItWas()
    {
        var operation = new AddAndRemember("a");
        var answer = await _state.UpdateAsync(_key, operation);
        Assert.Equal(["a"], answer);
        Assert.NotSame(operation.Remembered, answer);
        Assert.Equal((0, 0), (operation.RunCount, operation.Remembered.Count));
        Assert.Equal(["a", "a"], await _state.UpdateAsync(_key, operation));
    }

    [Fact]
    public async Task Operation_WithListedTypes_CarriesThem()
    {
        var answer = await _state.UpdateAsync(_key, new Put(new Ribbon("in"), new Ribbon("kept"), new Ribbon("out")));
        Assert.Equal(new Ribbon("out"), answer);
        Assert.Equal(new Ribbon("kept"), (await _state.GetAsync(_key))!.Extra);
    }

    [Fact]
    public async Task Operation_WithADelegate_IsRefused()
    {
        await _state.PutAsync(_key, new Basket { Lines = { "a" } });
        var refusal = await Assert.ThrowsAsync<StateRefusedException>(async () =>
            await _state.UpdateAsync(_key, new WithCode(basket => basket.Lines.Clear())));
        Assert.IsType<SlimTypeNotSupportedException>(refusal.InnerException);
        Assert.Equal(["a"], (await _state.GetAsync(_key))!.Lines);
    }

    [Theory]
    [InlineData("argument")]
    [InlineData("value")]
    [InlineData("result")]
    [InlineData("put")]
    public async Task TypeThatIsNotListed_Anywhere_IsRefusedWithTheRemedy(string place)
    {
        var before = await _state.PutAsync(_key, new Basket { Lines = { "a" } });
        var refusal = await Assert.ThrowsAsync<StateRefusedException>(async () => await (place switch
        {
            "argument" => _state.UpdateAsync(_key, new Put(new Stranger("sent"), null, null)).AsTask(),
            "value" => _state.UpdateAsync(_key, new Put(null, "stranger", null)).AsTask(),
            "result" => _state.UpdateAsync(_key, new Put(null, null, "stranger")).AsTask(),
            _ => (Task)_state.PutAsync(_key, new Basket { Extra = new Stranger("put") }).AsTask(),
        }));
        Assert.Contains($"ConfigureTypes(types => types.Allow<{typeof(Stranger)}>())", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("every node and every client", refusal.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("SlimOptions", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(before, (await _state.GetWithVersionAsync(_key))!.Value.Version);
    }

    [Fact]
    public async Task Operation_ThatMakesTooLargeAValue_IsRefused()
    {
        await _state.PutAsync(_key, new Basket { Lines = { "a" } });
        var refusal = await Assert.ThrowsAsync<StateRefusedException>(async () =>
            await _state.UpdateAsync(_key, new Overfill()));
        Assert.Contains("MaxValueBytes", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(["a"], (await _state.GetAsync(_key))!.Lines);
    }

    [Fact]
    public async Task Operation_ThrowsAListedException_ComesBackAsItself()
    {
        var error = await FailAsync<OutOfStockException>(FailureKind.Listed);
        Assert.Equal(("apple is out of stock", "apple", 3), (error.Message, error.Sku, error.Left));
        Assert.Equal("the shelf", Assert.IsType<TimeoutException>(error.InnerException).Message);
    }

    [Fact]
    public async Task Operation_ThrowsAFrameworkException_ComesBackAsItself()
    {
        var error = await FailAsync<ArgumentOutOfRangeException>(FailureKind.Framework);
        Assert.Equal(("kind", 7), (error.ParamName, error.ActualValue));
        await FailAsync<OperationCanceledException>(FailureKind.Cancelled);
    }

    [Fact]
    public async Task Operation_ThrowsAnUnlistedException_ComesBackAsText()
    {
        var error = await FailAsync<RemoteException>(FailureKind.Unlisted);
        Assert.Equal((typeof(UnlistedException).FullName, "not listed"), (error.TypeName, error.Message));
        Assert.Equal("apple", error.Data["sku"]);
        Assert.Contains(nameof(Fail), error.RemoteStackTrace, StringComparison.Ordinal);
        Assert.Equal("its cause", Assert.IsType<RemoteException>(error.InnerException).Message);
        error = await FailAsync<RemoteException>(FailureKind.Mute);
        Assert.Equal(typeof(MuteException).FullName, error.TypeName);
    }

    private async Task<T> FailAsync<T>(FailureKind kind)
        where T : Exception
    {
        var before = await _state.PutAsync(_key, new Basket { Lines = { "a" } });
        var error = await Assert.ThrowsAsync<T>(async () => await _state.UpdateAsync(_key, new Fail(kind)));
        Assert.Equal(before, (await _state.GetWithVersionAsync(_key))!.Value.Version);
        return error;
    }
}
