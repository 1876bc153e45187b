using System.Runtime.ExceptionServices;
using System.Runtime.Loader;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Every public exception of the shared framework that can be made, with everything the codec
/// promises.</summary>
[Trait("Case", "slim-F")]
public sealed class FrameworkExceptionTests
{
    private static readonly object[][] Arguments =
    [
        ["the message", new TimeoutException("inner")], ["the message"], [], ["name", "the message"], [5],
        [5, "the message"], ["the message", 5],
    ];

    private static readonly Type[] Types = [.. FindTypes()];

    public static TheoryData<Type> All => [.. Types];

    [Fact]
    public void Framework_HasTheExceptionsThatAreMeant()
    {
        Assert.InRange(Types.Length, 120, 400);
        Assert.Contains(typeof(ArgumentOutOfRangeException), Types);
        Assert.Contains(typeof(System.Net.Http.HttpRequestException), Types);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Exception_Populated_ComesBackWithAllThatIsPromised(Type type)
    {
        var source = Populate(Make(type)!);
        SlimSerializer slim = new(new SlimOptions().Allow(type));
        var back = slim.DeepClone(source);
        CheckEqual(source, back);
        CheckEqual(source, slim.DeepClone(back));
        Assert.Equal(slim.Serialize(source), slim.Serialize(back));
    }

    private static void CheckEqual(Exception source, Exception back)
    {
        Assert.IsType(source.GetType(), back);
        Assert.Equal(source.Message, back.Message);
        Assert.Equal(source.HResult, back.HResult);
        Assert.Equal(source.HelpLink, back.HelpLink);
        Assert.Equal(source.Source, back.Source);
        Assert.Equal(source.Data["text"], back.Data["text"]);
        Assert.Equal(source.Data["number"], back.Data["number"]);
        Assert.Equal(source.InnerException?.GetType(), back.InnerException?.GetType());
        Assert.Equal(source.InnerException?.Message, back.InnerException?.Message);
        Assert.Contains("at Remote.Service", back.StackTrace, StringComparison.Ordinal);
        Assert.Equal((source as ArgumentException)?.ParamName, (back as ArgumentException)?.ParamName);
    }

    private static Exception Populate(Exception error)
    {
        ExceptionDispatchInfo.SetRemoteStackTrace(error, "   at Remote.Service.Method() in Service.cs:line 5");
        error.HelpLink = "https://example.org/help";
        error.Source = "the source";
        error.HResult = unchecked((int)0x81234567);
        error.Data["text"] = "value";
        error.Data["number"] = 42;
        return error;
    }

    private static IEnumerable<Type> FindTypes()
    {
        var folder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        return Directory.GetFiles(folder, "System*.dll").Order(StringComparer.Ordinal)
            .Where(static path => !path.EndsWith(".Native.dll", StringComparison.Ordinal))
            .Select(static path => new AssemblyName(Path.GetFileNameWithoutExtension(path)))
            .SelectMany(static name => AssemblyLoadContext.Default.LoadFromAssemblyName(name).GetExportedTypes())
            .Where(static t => typeof(Exception).IsAssignableFrom(t) && !t.IsAbstract && !t.IsGenericTypeDefinition)
            .Where(static t => Make(t) is not null);
    }

    private static Exception? Make(Type type)
    {
        foreach (var arguments in Arguments)
        {
            var constructor = type.GetConstructor([.. arguments.Select(static a => a is Exception
                ? typeof(Exception)
                : a.GetType())]);
            if (constructor is not null)
                return Invoke(constructor, arguments);
        }

        return null;
    }

    // Some exist on one operating system or in a browser only.
    private static Exception? Invoke(ConstructorInfo constructor, object[] arguments)
    {
        try
        {
            return (Exception)constructor.Invoke(arguments);
        }
        catch (TargetInvocationException e) when (e.InnerException is PlatformNotSupportedException)
        {
            return null;
        }
    }
}
