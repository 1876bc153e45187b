using Shop.Drive.Load;

namespace Shop.Drive.Tests.Load;

public sealed class LoadSessionTests
{
    private readonly LoadSession _session = new("s", 0);

    [Fact]
    public void AcceptsNext_AfterAcknowledged_IsExactlyOneMore()
    {
        _session.Acknowledge(4);

        Assert.Equal([false, true, false], new[] { 4, 5, 6 }.Select(_session.AcceptsNext));
        Assert.Equal([false, true, false], new[] { 3, 4, 5 }.Select(_session.Accepts));
    }

    [Fact]
    public void AcceptsNext_AfterUncertainChanges_AllowsBothOutcomes()
    {
        _session.Acknowledge(4);
        _session.AddUncertain();

        Assert.Equal([false, true, true, false], new[] { 4, 5, 6, 7 }.Select(_session.AcceptsNext));
        Assert.Equal([true, true, false], new[] { 4, 5, 6 }.Select(_session.Accepts));
    }

    [Fact]
    public void StartAnew_OpenSession_ForgetsAllAndTakesANewKey()
    {
        var key = _session.Key;
        _session.Open(2);
        _session.Acknowledge(4);
        _session.AddUncertain();

        _session.StartAnew();

        Assert.False(_session.IsOpen);
        Assert.NotEqual(key, _session.Key);
        Assert.Equal((0, 0), (_session.Revision, _session.UncertainCount));
    }
}
