using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Hosting.Tables;

[Trait("Case", "repair-D")]
public sealed class EquatableArrayTests
{
    [Fact]
    public void ToString_Elements_AreListed()
    {
        Assert.Equal("[a, b]", new EquatableArray<string>(["a", "b"]).ToString());
        Assert.Equal("[]", default(EquatableArray<string>).ToString());
        Assert.DoesNotContain("EquatableArray", TableFixture.Member(1).ToString(), StringComparison.Ordinal);
    }
}
