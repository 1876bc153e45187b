using Cluster.Glue.Signatures;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Signatures;

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

    public interface IWithIndexer
    {
        int this[string key] { get; }
    }

    public interface IWithInit
    {
        int Size { get; init; }
    }

    public unsafe interface IWithPointer
    {
        void Write(int* target);
    }

    public unsafe interface IWithFunctionPointer
    {
        void Run(delegate*<int, void> body);
    }

    public interface IWithRefResult
    {
        ref int Find();
    }

    public interface IWithHidden
    {
        internal Task HideAsync();
    }

    public interface IWithRefStructArgument
    {
        void Take<T>(string text)
            where T : allows ref struct;
    }

    public interface IWithStaticAbstract
    {
        static abstract int Count();
    }

    public interface IWithEvent
    {
        event EventHandler Changed;
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
    [Trait("Case", "glue-8")]
    public void Ref_IsRefused() => CheckRefused<IWithRef>("Change", "value");

    [Fact]
    [Trait("Case", "glue-8")]
    public void InheritedRef_IsRefused() => CheckRefused<IInheritsRef>("Change", "value");

    [Fact]
    [Trait("Case", "glue-8")]
    public void Out_IsRefused() => CheckRefused<IWithOut>("Give", "value");

    [Fact]
    [Trait("Case", "glue-8")]
    public void ByRefLike_IsRefused() => CheckRefused<IWithSpan>("Fill", "target");

    [Fact]
    [Trait("Case", "glue-8")]
    public void RefResult_IsRefused() => CheckRefused<IWithRefResult>("Find", "result");

    [Fact]
    [Trait("Case", "glue-8")]
    public void Pointers_AreRefused()
    {
        CheckRefused<IWithPointer>("Write", "target", "pointer");
        CheckRefused<IWithFunctionPointer>("Run", "body", "pointer");
    }

    [Fact]
    [Trait("Case", "glue-8")]
    public void RefStructTypeParameter_IsRefused() => CheckRefused<IWithRefStructArgument>("Take", "ref struct");

    [Fact]
    [Trait("Case", "glue-11")]
    public void Indexer_IsRefused() => CheckRefused<IWithIndexer>("Item", "indexer");

    [Fact]
    [Trait("Case", "glue-11")]
    public void InitAccessor_IsRefused() => CheckRefused<IWithInit>("Size", "init");

    [Fact]
    [Trait("Case", "glue-11")]
    public void Event_IsRefused() => CheckRefused<IWithEvent>("Changed", "event");

    [Fact]
    [Trait("Case", "glue-9")]
    public void NonPublicMember_IsRefused() => CheckRefused<IWithHidden>("HideAsync", "not public");

    [Fact]
    public void StaticAbstractMember_IsRefused() =>
        CheckRefused(typeof(IWithStaticAbstract), "Count", "static abstract");

    [Fact]
    public void References_AreStreamsAndInterfacesOfAsynchronousMethods()
    {
        Assert.True(ReferenceRules.IsReference(typeof(IAsyncEnumerable<int>)));
        Assert.True(ReferenceRules.IsReference(typeof(IWithStreaming)));
        Assert.True(ReferenceRules.IsReference(typeof(Semantics.IListener)));
        Assert.False(ReferenceRules.IsReference(typeof(Semantics.ObjectGraphs.IShape)));
        Assert.False(ReferenceRules.IsReference(typeof(IEnumerable<int>)));
        Assert.False(ReferenceRules.IsReference(typeof(IAsyncDisposable)));
        Assert.False(ReferenceRules.IsReference(typeof(Semantics.Listener)));
    }

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
    [Trait("Case", "glue-8")]
    public void Registration_OnTheServer_RefusesTheSame()
    {
        var builder = new ServiceCollection().AddGlueServer();
        var exception = Assert.Throws<NotSupportedException>(() => builder.AddService<IWithOut, WithOut>());
        Assert.Contains("Give", exception.Message, StringComparison.Ordinal);
    }

    private static void CheckRefused<T>(params string[] mentioned)
        where T : class
    {
        var exception = Assert.Throws<NotSupportedException>(() => GlueClient.Connect<T>("http://127.0.0.1:1"));
        Assert.All(mentioned, text => Assert.Contains(text, exception.Message, StringComparison.Ordinal));
    }

    private static void CheckRefused(Type contract, params string[] mentioned)
    {
        var exception = Assert.Throws<NotSupportedException>(() => ContractDescription.Of(contract));
        Assert.All(mentioned, text => Assert.Contains(text, exception.Message, StringComparison.Ordinal));
    }

    private sealed class WithOut : IWithOut
    {
        public void Give(out int value) => value = 1;
    }
}
