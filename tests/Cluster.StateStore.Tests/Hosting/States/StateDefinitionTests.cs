using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Hosting.States;

public sealed class StateDefinitionTests
{
    [Fact]
    public void Create_EverythingWrong_ListsAllProblemsAtOnce()
    {
        var error = Assert.Throws<ArgumentException>(() => StateDefinition.Create<DateTime, Cart>("", s =>
        {
            s.MaxValueBytes = 0;
            s.AllowOperation<AppendText>();
        }));
        Assert.Contains("the name must have 1 to 100 characters", error.Message, StringComparison.Ordinal);
        Assert.Contains("MaxValueBytes is 0", error.Message, StringComparison.Ordinal);
        Assert.Contains("set s.KeyCodec to an IKeyCodec<DateTime>", error.Message, StringComparison.Ordinal);
        Assert.Contains("implements IStateOperation<Cart, TResult>", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Operation_OfAGenericType_HasANumberWithoutTheVersionsOfAssemblies()
    {
        var generic = new TypedOperationBinding<List<int>, Append<int>, int>();
        Assert.Contains("Version=", generic.Type.FullName, StringComparison.Ordinal);
        Assert.Equal(
            XxHash3.Hash(Encoding.UTF8.GetBytes($"{typeof(StateDefinitionTests).FullName}+Append`1[System.Int32]")),
            generic.Id);
        var plain = new TypedOperationBinding<string, AppendText, int>();
        Assert.Equal(XxHash3.Hash(Encoding.UTF8.GetBytes(typeof(AppendText).FullName!)), plain.Id);
    }

    [Fact]
    public void Operation_AllowedByItsType_IsAllowed()
    {
        var operation = typeof(Append<int>);
        var state = StateDefinition.Create<string, List<int>>("lists", s => s.AllowOperation(operation));
        Assert.Equal(typeof(Append<int>), state.BindingOf(new Append<int>()).Type);
    }

    [Fact]
    public void Create_Defaults_AreAsDocumented()
    {
        var state = StateDefinition.Create<string, Cart>("carts");
        Assert.Equal(("carts", typeof(string), typeof(Cart)), (state.Name, state.KeyType, state.ValueType));
        Assert.Equal((StateExpiry.Never, 1 << 20), (state.DefaultExpiry, state.MaxValueBytes));
    }

    [Fact]
    public void Create_ExpiryDefault_IsUsedWhereAWriteNamesNone()
    {
        var minute = StateExpiry.After(TimeSpan.FromMinutes(1));
        var state = StateDefinition.Create<string, Cart>("carts", s => s.DefaultExpiry = minute);
        Assert.Equal(minute, state.Resolve(default));
        Assert.Equal(StateExpiry.Never, state.Resolve(StateExpiry.Never));
        var unset = StateDefinition.Create<string, Cart>("carts", s => s.DefaultExpiry = default);
        Assert.Equal(StateExpiry.Never, unset.Resolve(default));
    }

    [Fact]
    public void BindingOf_OperationsBesideTheValueType_AreAllowedWithoutRegistration()
    {
        var state = StateDefinition.Create<string, Cart>("carts");
        Assert.Equal(typeof(AddLine), state.BindingOf(new AddLine("a", 1)).Type);
        Assert.Equal(typeof(CheckOut), state.BindingOf(new CheckOut()).Type);
    }

    [Fact]
    public void LayoutFingerprint_SameAndOtherTypes_TellsThemApart()
    {
        var carts = StateDefinition.Create<string, Cart>("carts");
        Assert.Equal(carts.LayoutFingerprint, StateDefinition.Create<long, Cart>("others").LayoutFingerprint);
        Assert.NotEqual(carts.LayoutFingerprint, StateDefinition.Create<string, string>("carts").LayoutFingerprint);
    }

    [Fact]
    public void Catalog_SameNameTwice_IsRefused()
    {
        var state = StateDefinition.Create<string, Cart>("carts");
        var error = Assert.Throws<ArgumentException>(() => new StateCatalog([state, state]));
        Assert.Contains("'carts' is registered twice", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void KeyOf_SameKeyInTwoStates_HasOneHashAndTwoStateKeys()
    {
        var hash = new PartitionHash(new StateStore.Hosting.Tables.ClusterMeta(Guid.Empty, "test", 16, 1, 1));
        var carts = StateDefinition.Create<string, Cart>("carts").KeyOf("a", hash);
        var others = StateDefinition.Create<string, Cart>("others").KeyOf("a", hash);
        Assert.Equal(carts.Hash, others.Hash);
        Assert.NotEqual(carts.Key, others.Key);
    }

    [Fact]
    public void Expiry_Forms_ResolveAgainstTheOwnersTime()
    {
        Assert.Equal(0, StateExpiry.Never.ResolveTicks(100));
        Assert.Equal(100 + TimeSpan.TicksPerSecond, StateExpiry.After(TimeSpan.FromSeconds(1)).ResolveTicks(100));
        Assert.Equal(0, StateExpiry.After(TimeSpan.MaxValue).ResolveTicks(DateTime.MaxValue.Ticks - 1));
        Assert.Equal(1, StateExpiry.At(DateTimeOffset.MinValue).ResolveTicks(100));
        Assert.Throws<ArgumentOutOfRangeException>(() => StateExpiry.After(TimeSpan.Zero));
        Assert.Equal("default", StateExpiry.Default.ToString());
        Assert.Equal("after 00:01:00", StateExpiry.After(TimeSpan.FromMinutes(1)).ToString());
    }

    private sealed class Append<T> : IStateOperation<List<T>, int>
    {
        public int Apply(ref List<T>? state, in OperationContext context)
        {
            state ??= [];
            return state.Count;
        }
    }
}
