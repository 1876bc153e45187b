using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Tests.Hosting.States;

public sealed class ValueFormatTests
{
    /// <summary>The other side has the type on its list, so its message contains a fingerprint instead of a
    /// name.</summary>
    [Fact]
    [Trait("Case", "repair-D")]
    public void Value_OfATypeThatTheOtherSideLists_IsRefusedWithTheRemedy()
    {
        var writer = StateDefinition.Create<string, object>("carts", s => s.ConfigureTypes(types => types.Allow<Cart>()));
        var reader = StateDefinition.Create<string, object>("carts");
        var bytes = writer.Format.ToBytes<object>(new Cart());
        var refusal = Assert.Throws<StateRefusedException>(() => reader.Format.FromBytes<object>(bytes));
        Assert.Contains("AddState(\"carts\", s => s.ConfigureTypes(", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("every node and every client", refusal.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("SlimSchema", refusal.Message, StringComparison.Ordinal);
    }
}
