using System.Runtime.Serialization;

namespace Cluster.Slim.Tests.Format;

#pragma warning disable SYSLIB0050, SYSLIB0051 // Types of the formatters of old, which are honoured where opted in.

/// <summary>Messages of types whose own code takes part, and of delegates, whose bytes are a promise.</summary>
internal static class GoldenUserCode
{
    private static readonly SlimSerializer Slim = new(new SlimOptions()
        .AllowCallbacks<Content>().AllowCallbacks<Amount>().AllowCallbacks<Told>().AllowCallbacks<Level>()
        .AllowCallbacks<One>().AllowCallbacks<OneProxy>().AllowMethodsOf(typeof(Rules)).Allow<Func<int, int>>());

    public static readonly Dictionary<string, (Func<byte[]> Write, Action<byte[]> Check)> All = new()
    {
        ["serializable"] = (
            () => Slim.Serialize(new Content { Text = "a", Next = new Content { Text = "b" } }),
            static bytes => Assert.Equal("b", Slim.Deserialize<Content>(bytes).Next!.Text)),
        ["serializable-struct"] = (
            () => Slim.Serialize(new[] { new Amount(1), new Amount(2) }),
            static bytes => Assert.Equal([1, 2], Slim.Deserialize<Amount[]>(bytes).Select(static a => a.Cents))),
        ["callbacks"] = (
            () => Slim.Serialize(new Told { Text = "a" }),
            static bytes => Assert.Equal("a!", Slim.Deserialize<Told>(bytes).Shout)),
        ["object-reference"] = (
            () => Slim.Serialize(new[] { new Level("high"), new Level("low") }),
            static bytes => Assert.Same(Level.High, Slim.Deserialize<Level[]>(bytes)[0])),
        ["other-type"] = (
            () => Slim.Serialize(new object[] { One.Instance, One.Instance }),
            static bytes => Assert.Same(One.Instance, Slim.Deserialize<object[]>(bytes)[1])),
        ["delegate"] = (
            () => Slim.Serialize<Func<int, int>>(Rules.Double),
            static bytes => Assert.Equal(4, Slim.Deserialize<Func<int, int>>(bytes)(2))),
        ["exception-full"] = (
            static () => Slim.Serialize<Exception>(NewException()),
            static bytes => CheckException((ArgumentOutOfRangeException)Slim.Deserialize<Exception>(bytes))),
    };

    /// <summary>Reads any of the messages as whatever it is.</summary>
    public static object? Read(byte[] message) => Slim.Deserialize<object>(message);

    private static ArgumentOutOfRangeException NewException()
    {
        ArgumentOutOfRangeException error = new("parameter", 5, "text") { HelpLink = "help", Source = "source" };
        error.Data["key"] = 1;
        System.Runtime.ExceptionServices.ExceptionDispatchInfo.SetRemoteStackTrace(error, "   at Remote()");
        return error;
    }

    private static void CheckException(ArgumentOutOfRangeException back)
    {
        Assert.Equal(NewException().Message, back.Message);
        Assert.Equal((5, "help", "source", 1), (back.ActualValue, back.HelpLink, back.Source, back.Data["key"]));
        Assert.Equal(NewException().StackTrace, back.StackTrace);
    }

    private static class Rules
    {
        public static int Double(int number) => number * 2;
    }

    private sealed class Content : ISerializable
    {
        public Content()
        {
        }

        private Content(SerializationInfo info, StreamingContext context)
        {
            Text = info.GetString("text");
            Next = (Content?)info.GetValue("next", typeof(Content));
        }

        public string? Text { get; init; }

        public Content? Next { get; init; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("text", Text);
            info.AddValue("next", Next);
        }
    }

    private readonly struct Amount : ISerializable
    {
        public Amount(int cents) => Cents = cents;

        private Amount(SerializationInfo info, StreamingContext context) => Cents = info.GetInt32("cents");

        public int Cents { get; }

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("cents", Cents);
    }

    private sealed class Told
    {
        [NonSerialized]
        private string? _shout;

        public string? Text { get; set; }

        public string? Shout => _shout;

        [OnDeserialized]
        private void OnDeserialized(StreamingContext context) => _shout = Text + "!";
    }

    private sealed class Level(string name) : IObjectReference
    {
        public static Level High { get; } = new("high");

        public string Name { get; } = name;

        public object GetRealObject(StreamingContext context) => Name == "high" ? High : this;
    }

    private sealed class One : ISerializable
    {
        public static One Instance { get; } = new();

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.SetType(typeof(OneProxy));
    }

    private sealed class OneProxy : IObjectReference
    {
        public object GetRealObject(StreamingContext context) => One.Instance;
    }
}
