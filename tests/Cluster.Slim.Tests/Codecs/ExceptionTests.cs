namespace Cluster.Slim.Tests.Codecs;

/// <summary>Exceptions through our own codec.</summary>
public sealed class ExceptionTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions().Allow<ShopException>());

    [Fact]
    public void Thrown_KeepsTypeTextsAndStack()
    {
        Exception error = Thrown(() => throw new InvalidOperationException("out", new TimeoutException("in"))
        {
            HelpLink = "h", Source = "s", HResult = 77, Data = { ["k"] = 5 },
        });
        Exception back = _slim.DeepClone(error);
        Assert.IsType<InvalidOperationException>(back);
        Assert.Equal("out", back.Message);
        Assert.Equal(("h", "s", 77), (back.HelpLink, back.Source, back.HResult));
        Assert.Equal("in", Assert.IsType<TimeoutException>(back.InnerException).Message);
        Assert.Equal(5, back.Data["k"]);
        Assert.Contains(nameof(Thrown), back.StackTrace, StringComparison.Ordinal);
    }

    [Fact]
    public void Argument_KeepsParameterAndMessage()
    {
        ArgumentNullException back = _slim.DeepClone(new ArgumentNullException("p", "text"));
        Assert.Equal("p", back.ParamName);
        Assert.Equal(new ArgumentNullException("p", "text").Message, back.Message);
    }

    [Fact]
    public void Aggregate_KeepsChildren()
    {
        AggregateException error = new("all", new TimeoutException("1"), new FormatException("2"));
        AggregateException back = _slim.DeepClone(error);
        Assert.Equal(error.Message, back.Message);
        Assert.Equal(["1", "2"], back.InnerExceptions.Select(e => e.Message));
    }

    [Fact]
    public void UserException_KeepsItsFields()
    {
        ShopException back = (ShopException)_slim.DeepClone<Exception>(new ShopException("m", 42));
        Assert.Equal(("m", 42), (back.Message, back.Code));
    }

    [Fact]
    public void UserException_NotAllowed_IsRefusedWithTheLineToAdd()
    {
        SlimTypeNotAllowedException error = Assert.Throws<SlimTypeNotAllowedException>(
            () => new SlimSerializer().Serialize<Exception>(new ShopException("m", 1)));
        Assert.Contains("ShopException>()", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_ListedFrameworkException_ComesBackAsItself()
    {
        foreach (Type type in Slim.Codecs.FrameworkExceptions.All)
        {
            Exception error = type == typeof(ObjectDisposedException)
                ? new ObjectDisposedException("o")
                : (Exception)Activator.CreateInstance(type)!;
            Exception back = _slim.DeepClone(error);
            Assert.IsType(type, back);
            Assert.Equal(error.Message, back.Message);
        }
    }

    private static Exception Thrown(Action action) => Record.Exception(action);

    private sealed class ShopException(string message, int code) : Exception(message)
    {
        public int Code { get; } = code;
    }
}
