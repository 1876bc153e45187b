using System.ComponentModel;
using System.Net.Sockets;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Exceptions through our own codec.</summary>
[Trait("Case", "slim-F")]
public sealed class ExceptionTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions().Allow<ShopException>().Allow<LoudException>());

    [Fact]
    public void Thrown_KeepsTypeTextsAndStack()
    {
        var error = Thrown(() => throw new InvalidOperationException("out", new TimeoutException("in"))
        {
            HelpLink = "h", Source = "s", HResult = 77, Data = { ["k"] = 5 },
        });
        var back = _slim.DeepClone(error);
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
        var back = _slim.DeepClone(new ArgumentNullException("p", "text"));
        Assert.Equal("p", back.ParamName);
        Assert.Equal(new ArgumentNullException("p", "text").Message, back.Message);
    }

    [Fact]
    public void Aggregate_KeepsChildren()
    {
        AggregateException error = new("all", new TimeoutException("1"), new FormatException("2"));
        var back = _slim.DeepClone(error);
        Assert.Equal(error.Message, back.Message);
        Assert.Equal(["1", "2"], back.InnerExceptions.Select(e => e.Message));
    }

    [Fact]
    public void UserException_KeepsItsFields()
    {
        var back = (ShopException)_slim.DeepClone<Exception>(new ShopException("m", 42));
        Assert.Equal(("m", 42), (back.Message, back.Code));
    }

    [Fact]
    public void UserException_NotAllowed_IsRefusedWithTheLineToAdd()
    {
        var error = Assert.Throws<SlimTypeNotAllowedException>(
            () => new SlimSerializer().Serialize<Exception>(new ShopException("m", 1)));
        Assert.Contains("ShopException>()", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_ListedFrameworkException_ComesBackAsItself()
    {
        foreach (var type in Cluster.Slim.Types.FrameworkExceptions.All)
        {
            var error = (Exception)Framework.FrameworkSamples.Of(type)!;
            var back = _slim.DeepClone(error);
            Assert.IsType(type, back);
            Assert.Equal(error.Message, back.Message);
        }
    }

    [Fact]
    public void Details_OfFrameworkExceptions_ComeBackWithTheirMessages()
    {
        (Exception Error, Func<Exception, object?> Detail)[] cases =
        [
            (new ArgumentOutOfRangeException("p", 5, "text"), static e => ((ArgumentOutOfRangeException)e).ActualValue),
            (new ObjectDisposedException("o", "text"), static e => ((ObjectDisposedException)e).ObjectName),
            (new FileNotFoundException("text", "file.txt"), static e => ((FileNotFoundException)e).FileName),
            (new FileNotFoundException(null, "file.txt"), static e => ((FileNotFoundException)e).FileName),
            (new FileLoadException("text", "file.dll"), static e => ((FileLoadException)e).FileName),
            (new BadImageFormatException("text", "file.dll"), static e => ((BadImageFormatException)e).FileName),
            (new TypeInitializationException("T", null), static e => ((TypeInitializationException)e).TypeName),
            (new SocketException(10061), static e => ((SocketException)e).SocketErrorCode),
            (new Win32Exception(5, "text"), static e => ((Win32Exception)e).NativeErrorCode),
            (new HttpRequestException("text", null, HttpStatusCode.NotFound),
                static e => ((HttpRequestException)e).StatusCode),
        ];
        foreach ((var error, var detail) in cases)
        {
            SlimSerializer slim = new(new SlimOptions().Allow(error.GetType()));
            var back = slim.DeepClone(slim.DeepClone(error));
            Assert.Equal((error.Message, error.HResult), (back.Message, back.HResult));
            Assert.Equal(detail(error), detail(back));
            Assert.NotNull(detail(back));
        }
    }

    [Fact]
    public void ActualValue_ThatIsNoSimpleValue_TravelsAsItsText()
    {
        ArgumentOutOfRangeException error = new("p", new Version(1, 2), "text");
        var back = _slim.DeepClone(error);
        Assert.Equal((error.Message, "p", "1.2"), (back.Message, back.ParamName, back.ActualValue));
    }

    [Fact]
    public void Aggregate_OfAggregates_FlattensAsBefore()
    {
        TimeoutException shared = new("shared");
        AggregateException error = new(
            "outer", new AggregateException("middle", shared, new FormatException("deep")), shared);
        var back = _slim.DeepClone(error);
        Assert.Equal(error.Message, back.Message);
        Assert.Equal(["shared", "shared", "deep"], back.Flatten().InnerExceptions.Select(e => e.Message));
        Assert.Same(back.InnerExceptions[1], ((AggregateException)back.InnerExceptions[0]).InnerExceptions[0]);
        Assert.Same(back.InnerException, back.InnerExceptions[0]);
    }

    [Fact]
    public void InnerException_ThatIsTheExceptionItself_StaysIt()
    {
        InvalidOperationException error = new("loop");
        typeof(Exception).GetField("_innerException", BindingFlags.Instance | BindingFlags.NonPublic)!
            .SetValue(error, error);
        var back = _slim.DeepClone<Exception>(error);
        Assert.Same(back, back.InnerException);
        Assert.Equal("loop", back.Message);
    }

    [Fact]
    public void Data_WithACycle_KeepsIt()
    {
        InvalidOperationException error = new("m");
        object[] ring = [error, 1];
        error.Data["self"] = error;
        error.Data["ring"] = ring;
        ring[1] = ring;
        var back = _slim.DeepClone<Exception>(error);
        Assert.Same(back, back.Data["self"]);
        var again = Assert.IsType<object[]>(back.Data["ring"]);
        Assert.Same(back, again[0]);
        Assert.Same(again, again[1]);
    }

    [Fact]
    public void UserException_ThatAppendsToItsMessage_AppendsOnce_AndNeedsNoSerializationConstructor()
    {
        var back = (LoudException)_slim.DeepClone(_slim.DeepClone<Exception>(new LoudException("m", 3)));
        Assert.Equal("m (volume 3)", back.Message);
    }

    [Fact]
    public void StackText_PassedOnAgain_StaysTheSame()
    {
        var once = _slim.DeepClone(Thrown(static () => throw new InvalidOperationException("m")));
        Assert.Equal(once.StackTrace, _slim.DeepClone(_slim.DeepClone(once)).StackTrace);
    }

    private static Exception Thrown(Action action) => Record.Exception(action);

    private sealed class ShopException(string message, int code) : Exception(message)
    {
        public int Code { get; } = code;
    }

    private sealed class LoudException(string message, int volume) : Exception(message)
    {
        private readonly int _volume = volume;

        public override string Message => $"{base.Message} (volume {_volume})";
    }
}
