using Cluster.Glue.Authorization;
using Microsoft.AspNetCore.Authorization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Glue.Tests.Authorization;

/// <summary>A server whose rules nobody can decide does not start, and says what to do.</summary>
[Trait("Case", "transport-7")]
public sealed class AuthorizationStartTests
{
    [AuthorizeContract("Nowhere")]
    public interface ILost
    {
        Task<int> GetAsync();
    }

    public sealed class Lost : ILost
    {
        public Task<int> GetAsync() => Task.FromResult(1);
    }

    public interface IOfScheme
    {
        [Authorize(AuthenticationSchemes = "other")]
        Task<int> GetAsync();
    }

    public sealed class OfScheme : IOfScheme
    {
        public Task<int> GetAsync() => Task.FromResult(1);
    }

    public interface IUndecided
    {
        [Authorize]
        Task<int> GetAsync();
    }

    public sealed class Undecided : IUndecided
    {
        [AllowAnonymous]
        public Task<int> GetAsync() => Task.FromResult(1);
    }

    public interface IPlain
    {
        Task<int> GetAsync();

        [AllowAnonymous]
        Task<int> OpenAsync();
    }

    public sealed class Plain : IPlain
    {
        public Task<int> GetAsync() => Task.FromResult(1);

        public Task<int> OpenAsync() => Task.FromResult(2);
    }

    [Fact]
    public async Task PolicyThatIsNotRegistered_StopsTheStart() =>
        await CheckAsync(true, glue => glue.AddService<ILost, Lost>(), "ILost.GetAsync", "'Nowhere'", "AddPolicy");

    [Fact]
    public async Task MissingAuthorizationServices_StopTheStart() =>
        await CheckAsync(false, glue => glue.AddService<ILost, Lost>(), "ILost.GetAsync", "AddAuthorization()");

    [Fact]
    public async Task SchemesOfAPolicy_StopTheStart() =>
        await CheckAsync(true, glue => glue.AddService<IOfScheme, OfScheme>(), "IOfScheme.GetAsync", "other");

    [Fact]
    public async Task Contradiction_StopsTheStart() =>
        await CheckAsync(
            true, glue => glue.AddService<IUndecided, Undecided>(), "IUndecided.GetAsync", "[AllowAnonymous]");

    [Fact]
    public async Task DemandForAContractThatNobodyOffers_StopsTheStart() =>
        await CheckAsync(
            true,
            glue => glue.AddService<IPlain, Plain>().RequireAuthorization<ILost>(),
            "RequireAuthorization<",
            "ILost");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task RequireAuthorization_GuardsAllMethodsThatAreNotOpened(bool isForAll)
    {
        await using var host = await GuardedHost.StartAsync(compose: glue =>
        {
            if (isForAll)
                glue.RequireAuthorization().AddService<IPlain, Plain>();
            else
                glue.AddService<IPlain, Plain>().RequireAuthorization<IPlain>();
        });
        await using var client = GuardedHost.CreateClient(GuardedWay.Link);
        var plain = host.Connect<IPlain>(client, GuardedWay.Link);
        var failure = await Assert.ThrowsAsync<GlueException>(plain.GetAsync);
        Assert.Equal(GlueErrorCode.NotAuthenticated, failure.Code);
        Assert.Equal(2, await plain.OpenAsync());
    }

    private static async Task CheckAsync(bool hasServices, Action<GlueServerBuilder> compose, params string[] says)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        if (hasServices)
            builder.Services.AddAuthorization();
        compose(builder.Services.AddGlueServer(options => options.ListenAddress = "http://127.0.0.1:0"));
        using var host = builder.Build();
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync());
        Assert.All(says, text => Assert.Contains(text, failure.Message, StringComparison.Ordinal));
    }
}
