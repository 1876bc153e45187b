namespace Cluster.Contracts.Tests;

public class GlueExceptionTests
{
    [Fact]
    public void Constructor_KeepsKindDeliveryAndCode()
    {
        var cause = new InvalidOperationException();
        var exception = new GlueException(
            GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.UnknownMethod, "no such method", cause);
        Assert.Equal(GlueErrorKind.Refused, exception.Kind);
        Assert.Equal(GlueDelivery.NotDelivered, exception.Delivery);
        Assert.Equal(GlueErrorCode.UnknownMethod, exception.Code);
        Assert.Same(cause, exception.InnerException);
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public void Text_HasKindDeliveryAndCode_MessageCauseAndStack()
    {
        var thrown = Assert.Throws<GlueException>(
            void () => throw new GlueException(
                GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.UnknownMethod, "no such method",
                new InvalidOperationException("the cause")));
        var text = thrown.ToString();
        Assert.StartsWith(
            "Cluster.Contracts.GlueException (Refused, NotDelivered, UnknownMethod): no such method", text,
            StringComparison.Ordinal);
        Assert.Contains("the cause", text, StringComparison.Ordinal);
        Assert.Contains(nameof(Text_HasKindDeliveryAndCode_MessageCauseAndStack), text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(GlueErrorCode.Unknown, 0)]
    [InlineData(GlueErrorCode.ConnectFailed, 2)]
    [InlineData(GlueErrorCode.LinkLost, 10)]
    [InlineData(GlueErrorCode.UnknownMethod, 21)]
    [InlineData(GlueErrorCode.ArgumentsTooLarge, 30)]
    [InlineData(GlueErrorCode.DeadlineOnServer, 42)]
    [InlineData(GlueErrorCode.ServerOverloaded, 52)]
    [InlineData(GlueErrorCode.ServiceNotCreated, 60)]
    public void Code_OnTheWire_KeepsItsNumber(GlueErrorCode code, int number) => Assert.Equal(number, (int)code);

    [Fact]
    public void Codes_AreDistinct() =>
        Assert.Equal(Enum.GetNames<GlueErrorCode>().Length, Enum.GetValues<GlueErrorCode>().Distinct().Count());
}
