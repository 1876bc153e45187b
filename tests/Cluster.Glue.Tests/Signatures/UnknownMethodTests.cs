using Cluster.Glue.Catalog;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Wire;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Signatures;

/// <summary>What is no method of a contract has no handle. Acceptance cases 9 and 10.</summary>
public sealed class UnknownMethodTests
{
    [Theory]
    [InlineData("ToString", "System.Object", "()", "System.String")]
    [InlineData("GetHashCode", "System.Object", "()", "System.Int32")]
    [InlineData("Equals", "System.Object", "(System.Object)", "System.Boolean")]
    [InlineData("GetType", "System.Object", "()", "System.Type")]
    [InlineData("Finalize", "System.Object", "()", "void")]
    [InlineData("Dispose", "System.IDisposable", "()", "void")]
    [Trait("Case", "glue-9")]
    public async Task MemberOfTheObject_HasNoHandle(string name, string declaring, string parameters, string result)
    {
        await using var host = await GlueHost.StartAsync();
        var contract = TypeText.Of(typeof(ICounter));
        var signature = $"{contract}|{declaring}|{name}{parameters}:{result}";
        var bindResult = JudgeOne(host, contract, name, SignatureHash.Of(signature));
        Assert.Null(bindResult.Method);
        Assert.Equal(GlueErrorCode.UnknownMethod, bindResult.Code);
        var known = $"{contract}|{contract}|NextAsync():System.Int32";
        Assert.NotEqual(
            GlueErrorCode.UnknownMethod, JudgeOne(host, contract, "NextAsync", SignatureHash.Of(known)).Code);
    }

    [Fact]
    [Trait("Case", "glue-10")]
    public async Task UnknownMethodContractAndNode_AreToldApart()
    {
        await using var host = await GlueHost.StartAsync();
        Assert.Equal(
            GlueErrorCode.UnknownMethod, JudgeOne(host, TypeText.Of(typeof(ICounter)), "LastAsync", 1).Code);
        Assert.Equal(GlueErrorCode.UnknownContract, JudgeOne(host, "N.INone", "NextAsync", 1).Code);
        await using var client = new GlueClient();
        var exception = await Assert.ThrowsAsync<GlueException>(
            () => client.CreateProxy<ICounter>(new InOrder()).NextAsync());
        Assert.Equal(GlueErrorCode.NoEndpoint, exception.Code);
    }

    private static BindResult JudgeOne(GlueHost host, string contract, string name, ulong signature) =>
        host.Services.GetRequiredService<ServerRuntime>().Host.Catalog
            .Judge(new BindRequest(0, [contract], [], [new BindRequest.Method
            {
                Name = name,
                SignatureHashes = [signature],
                LayoutFingerprint = 0,
                Arguments = [],
            }]), PeerAccess.NoProof)[0];
}
