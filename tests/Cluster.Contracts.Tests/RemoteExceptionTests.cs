namespace Cluster.Contracts.Tests;

public class RemoteExceptionTests
{
    [Fact]
    public void ToString_NamesRemoteTypeMessageAndStack()
    {
        var exception = new RemoteException("Shop.OutOfStock", "no more hats", "   at Shop.Sell()");
        var text = exception.ToString();
        Assert.Contains("Shop.OutOfStock", text, StringComparison.Ordinal);
        Assert.Contains("no more hats", text, StringComparison.Ordinal);
        Assert.Contains("at Shop.Sell()", text, StringComparison.Ordinal);
    }

    [Fact]
    public void ToString_WithCause_ShowsTheWholeChain()
    {
        var cause = new RemoteException("Shop.Fire", "burnt", null);
        var exception = new RemoteException("Shop.OutOfStock", "no more hats", null, cause);
        Assert.Contains("Shop.Fire", exception.ToString(), StringComparison.Ordinal);
        Assert.Contains("burnt", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void ToString_WhenThrown_KeepsTheLocalStack()
    {
        var exception = Assert.Throws<RemoteException>(Throw);
        Assert.Contains(nameof(Throw), exception.ToString(), StringComparison.Ordinal);

        static void Throw() => throw new RemoteException("A", "b", "   at Remote.Place()");
    }

    [Fact]
    public void Constructor_WithoutTypeName_Throws() =>
        Assert.Throws<ArgumentNullException>(() => new RemoteException(null!, "m", null));
}
