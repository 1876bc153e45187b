using Cluster.Contracts;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Contracts;

/// <summary>What contracts may not contain, refused at registration on both sides by name. Acceptance case 8.</summary>
public class ContractRulesTests
{
    public interface IWithRef
    {
        void Change(ref int value);
    }

    public interface IWithOut
    {
        void Give(out int value);
    }

    public interface IWithSpan
    {
        void Fill(Span<byte> target);
    }

    public interface IWithProperty
    {
        int Size { get; }
    }

    public interface IWithEvent
    {
        event EventHandler Changed;
    }

    public interface IWithGenericMethod
    {
        Task<T> GetAsync<T>();
    }

    public interface IWithStreaming
    {
        IAsyncEnumerable<int> WatchAsync();
    }

    public interface IWithCallback
    {
        Task RunAsync(Func<int> body);
    }

    public interface IWithTwoTokens
    {
        Task RunAsync(CancellationToken one, CancellationToken two);
    }

    public interface IWithAnsweringOneWay
    {
        [OneWay]
        Task<int> CountAsync();
    }

    public interface IInheritsRef : IWithRef
    {
        Task GoAsync();
    }

    private interface IPrivate
    {
        Task GoAsync();
    }

    [Fact]
    public void Ref_IsRefused() => CheckRefused<IWithRef>("Change", "value");

    [Fact]
    public void InheritedRef_IsRefused() => CheckRefused<IInheritsRef>("Change", "value");

    [Fact]
    public void Out_IsRefused() => CheckRefused<IWithOut>("Give", "value");

    [Fact]
    public void ByRefLike_IsRefused() => CheckRefused<IWithSpan>("Fill", "target");

    [Fact]
    public void Property_IsRefused() => CheckRefused<IWithProperty>("Size", "property");

    [Fact]
    public void Event_IsRefused() => CheckRefused<IWithEvent>("Changed", "event");

    [Fact]
    public void GenericMethod_IsRefused() => CheckRefused<IWithGenericMethod>("GetAsync", "generic");

    [Fact]
    public void Stream_IsRefused() => CheckRefused<IWithStreaming>("WatchAsync", "IAsyncEnumerable");

    [Fact]
    public void Delegate_IsRefused() => CheckRefused<IWithCallback>("RunAsync", "delegate");

    [Fact]
    public void TwoTokens_AreRefused() => CheckRefused<IWithTwoTokens>("RunAsync", "CancellationToken");

    [Fact]
    public void OneWayWithResult_IsRefused() => CheckRefused<IWithAnsweringOneWay>("CountAsync", "OneWay");

    [Fact]
    public void PrivateInterface_IsRefused() => CheckRefused<IPrivate>("IPrivate", "private");

    [Fact]
    public void Class_IsRefused() => CheckRefused<ContractRulesTests>("ContractRulesTests", "not an interface");

    [Fact]
    public void Registration_OnTheServer_RefusesTheSame()
    {
        GlueServerBuilder builder = new ServiceCollection().AddGlueServer();
        var exception = Assert.Throws<NotSupportedException>(() => builder.AddService<IWithProperty, WithProperty>());
        Assert.Contains("Size", exception.Message, StringComparison.Ordinal);
    }

    private static void CheckRefused<T>(params string[] mentioned)
        where T : class
    {
        var exception = Assert.Throws<NotSupportedException>(() => GlueClient.Connect<T>("http://127.0.0.1:1"));
        Assert.All(mentioned, text => Assert.Contains(text, exception.Message, StringComparison.Ordinal));
    }

    private sealed class WithProperty : IWithProperty
    {
        public int Size => 1;
    }
}
