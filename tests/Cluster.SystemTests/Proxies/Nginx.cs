using Cluster.Testing;

namespace Cluster.SystemTests.Proxies;

/// <summary>Runs nginx as a master and one worker without privileges. Stateless.</summary>
internal sealed class Nginx : IProxyProgram
{
    public string Path => "/usr/sbin/nginx";

    // A link is one request with an endless body. By default, client_max_body_size would end it after a megabyte.
    public string ConfigurationOf(ProxyPlan plan, string folder)
    {
        // If root starts the master, its workers run as another user by default, who may not read the folder.
        var user = Environment.IsPrivilegedProcess ? "user root;" : "";
        var tls = plan.Mode == ProxyMode.EndsTls ? "ssl " : "";
        var certificate = plan.Mode == ProxyMode.EndsTls
            ? $"ssl_certificate {folder}/tls.pem; ssl_certificate_key {folder}/tls.pem;"
            : "";
        var servers = string.Join(' ', plan.BackendPorts.Select(port => $"server 127.0.0.1:{port};"));
        return $$"""
            daemon off;
            {{user}}
            worker_shutdown_timeout 50ms;
            pid {{folder}}/nginx.pid;
            error_log stderr warn;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path {{folder}}/body;
                proxy_temp_path {{folder}}/proxy;
                fastcgi_temp_path {{folder}}/fastcgi;
                uwsgi_temp_path {{folder}}/uwsgi;
                scgi_temp_path {{folder}}/scgi;
                client_max_body_size 0;
                client_body_timeout {{plan.TimeoutText}};
                grpc_read_timeout {{plan.TimeoutText}};
                grpc_send_timeout {{plan.TimeoutText}};
                upstream glue {
                    {{(plan.IsSticky ? "hash $remote_addr consistent;" : "")}}
                    {{servers}}
                    keepalive 16;
                }
                server {
                    listen 127.0.0.1:{{plan.Port}} {{tls}}http2;
                    {{certificate}}
                    location / { grpc_pass grpc://glue; }
                }
            }
            """;
    }

    public IEnumerable<string> ArgumentsOf(string file, string folder) => ["-e", "stderr", "-p", folder, "-c", file];

    public ProcessSignal ReloadSignal => ProcessSignal.Hangup;
}
